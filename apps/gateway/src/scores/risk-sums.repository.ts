import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { DATABASE, type Schema } from '#libs/database';
import type { RiskSum } from '#libs/domain';
import { FOURTH_POWERS, GROUP_COLUMNS, type GroupKind, heldAt } from './score-groups.ts';

/** Where a page of groups begins: behind what the last one had. */
export interface GroupPlace {
  /** Its score in hundredths; −1 where it has none. */
  rank: number;
  /** The first 600 characters of its name, and the MD5 of the whole. */
  name: string;
  nameHash: string;
}

export interface GroupRow extends GroupPlace {
  /** In full. */
  group: string;
  sum: RiskSum;
}

interface SumColumns {
  assets: number;
  scoredAssets: number;
  fourthPowers: string;
  likelihood: number;
}

/** What scores of groups are computed from: kept sums for the present, the assets of then for the past. */
@Injectable()
export class RiskSumsRepository {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  /** Of all assets. @param past epoch milliseconds; null for the present */
  async organization(past: number | null): Promise<RiskSum> {
    const { rows } = await sql<SumColumns>`
      select coalesce(sum(assets), 0) as assets, coalesce(sum(scored_assets), 0) as "scoredAssets",
             coalesce(sum(fourth_powers), 0)::text as "fourthPowers", coalesce(sum(likelihood), 0) as likelihood
      from ${past === null ? sumsNow('organization') : sumsAt(past, sql`''`)}`.execute(this.db);
    return riskSum(rows[0]!);
  }

  /** Groups that have assets: the greatest score first, none last, then by name. */
  async groups(
    kind: GroupKind,
    past: number | null,
    after: GroupPlace | null,
    limit: number,
  ): Promise<GroupRow[]> {
    const behind = after
      ? sql`where rank < ${after.rank} or (rank = ${after.rank}
              and (left(name, 600) collate "C", md5(name)) > (${after.name}, ${after.nameHash}))`
      : sql``;
    const { rows } = await sql<SumColumns & GroupPlace & { group: string }>`
      select name as "group", left(name, 600) as name, md5(name) as "nameHash", rank, assets,
             scored_assets as "scoredAssets", fourth_powers::text as "fourthPowers", likelihood
      from (
        select *, ${RANK} as rank from (
          select name, sum(assets) as assets, sum(scored_assets) as scored_assets,
                 sum(fourth_powers) as fourth_powers, sum(likelihood) as likelihood
          from ${past === null ? sumsNow(kind) : sumsAt(past, GROUP_COLUMNS[kind])}
          group by name having sum(assets) > 0
        ) summed
      ) ranked
      ${behind}
      order by rank desc, left(name, 600) collate "C", md5(name) limit ${limit}`.execute(this.db);
    return rows.map(({ group, name, nameHash, rank, ...sum }) => ({
      group,
      name,
      nameHash,
      rank,
      sum: riskSum(sum),
    }));
  }
}

/** As `groupScore` rounds it: square roots of floating point are alike everywhere (IEEE 754). */
const RANK = sql`
  coalesce(floor(sqrt(sqrt(fourth_powers::float8 / nullif(scored_assets, 0)::float8)) + 0.5), -1)::int`;

const sumsNow = (kind: GroupKind | 'organization') => sql`
  (select name, assets, scored_assets, fourth_powers, likelihood from score_sums where kind = ${kind}) kept`;

/** One pass over the rows that held then. */
const sumsAt = (at: number, name: RawBuilder<string>) => sql`
  (select ${name} as name, count(*) as assets, count(score) as scored_assets, ${FOURTH_POWERS} as fourth_powers,
          coalesce(sum(likelihood), 0) as likelihood
   from score_history where ${heldAt(at)} group by 1) held`;

const riskSum = ({ fourthPowers, ...sum }: SumColumns): RiskSum => ({
  ...sum,
  fourthPowers: BigInt(fourthPowers),
});
