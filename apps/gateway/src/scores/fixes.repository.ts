import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type SqlBool, sql } from 'kysely';
import { DATABASE, type Schema } from '#libs/database';
import type { RiskSum } from '#libs/domain';
import { type AssetGroup, isInGroup, waitingAssets } from '#libs/scores';

/** Live assets, told apart by whether something of them can be fixed. */
export interface FixableAssets {
  /** Numbers of those with a score above 0, and of those that wait to be scored. */
  assetNos: number[];
  /** What the others come to. */
  others: RiskSum;
}

@Injectable()
export class FixesRepository {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  /** Of a group, or of the organization without one, at present: `now` in epoch milliseconds. */
  async fixable(group: AssetGroup | null, now: number): Promise<FixableAssets> {
    const { rows } = await sql<FixableAssets & Omit<RiskSum, 'fourthPowers'>>`
      select coalesce(array_agg(a.asset_no::float8) filter (where is_fixable), '{}') as "assetNos",
             count(*) filter (where not is_fixable) as assets,
             count(s.score) filter (where not is_fixable) as "scoredAssets",
             coalesce(sum(s.likelihood) filter (where not is_fixable), 0) as likelihood
      from assets a left join asset_scores s using (asset_no)
      left join (${waitingAssets(now)}) w using (asset_no)
      cross join lateral (
        select s.asset_no is null or w.asset_no is not null or coalesce(s.score > 0, false) as is_fixable) f
      where a.deleted_at is null and ${group ? isInGroup('a', group) : sql<SqlBool>`true`}`.execute(this.db);
    const { assetNos, ...others } = rows[0]!;
    return { assetNos, others: { ...others, fourthPowers: 0n } };
  }

  /** The number of a live asset; undefined where there is none. */
  async assetNo(id: string): Promise<number | undefined> {
    const row = await this.db
      .selectFrom('assets')
      .select('asset_no')
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    return row?.asset_no;
  }
}
