import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { DATABASE, type Schema } from '#libs/database';
import type { RiskSum } from '#libs/domain';
import { FOURTH_POWERS } from './score-groups.ts';

@Injectable()
export class WhatIfRepository {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  /** Those of the ids that no finding has. */
  async unknown(findingIds: string[]): Promise<string[]> {
    const { rows } = await sql<{ id: string }>`
      select id from unnest(${findingIds}::uuid[]) as given (id)
      where not exists (select from findings f where f.id = given.id)`.execute(this.db);
    return rows.map(({ id }) => id);
  }

  /** Numbers of the live assets that have one of the findings, or a Failed one with one of the CVEs. */
  async assetsOf(findingIds: string[], cves: string[]): Promise<number[]> {
    const { rows } = await sql<{ assetNos: number[] }>`
      select coalesce(array_agg(asset_no::float8), '{}') as "assetNos" from (
        select f.asset_no from findings f where f.id = any(${findingIds}::uuid[])
        union
        select f.asset_no from findings f
        where f.state = 'Failed' and (f.cves <> '{}' or f.techniques <> '{}')
          and indexed_ids(f.cves || f.techniques) && ${cves}::text[] and f.cves && ${cves}::text[]
      ) touched join assets a using (asset_no)
      where a.deleted_at is null`.execute(this.db);
    return rows[0]!.assetNos;
  }

  /** What the organization comes to without these assets, as it was scored last. */
  async organizationWithout(assetNos: number[]): Promise<RiskSum> {
    const { rows } = await sql<Omit<RiskSum, 'fourthPowers'> & { fourthPowers: string }>`
      select w.assets - t.assets as assets, w.scored_assets - t.scored_assets as "scoredAssets",
             (w.fourth_powers - t.fourth_powers)::text as "fourthPowers", w.likelihood - t.likelihood as likelihood
      from (
        select coalesce(sum(assets), 0) as assets, coalesce(sum(scored_assets), 0) as scored_assets,
               coalesce(sum(fourth_powers), 0) as fourth_powers, coalesce(sum(likelihood), 0) as likelihood
        from score_sums where kind = 'organization'
      ) w cross join (
        select count(*) as assets, count(score) as scored_assets, ${FOURTH_POWERS} as fourth_powers,
               coalesce(sum(likelihood), 0) as likelihood
        from asset_scores where asset_no = any(${assetNos}::bigint[])
      ) t`.execute(this.db);
    const { fourthPowers, ...sum } = rows[0]!;
    return { ...sum, fourthPowers: BigInt(fourthPowers) };
  }
}
