import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { READ_DATABASE, type Schema } from '#libs/database';
import type { ScoringModel } from '#libs/domain';
import type { ScoreSums } from '#libs/scores';
import { GROUP_COLUMNS, type GroupKind, heldAt } from './score-groups.ts';
import { SUM_COLUMNS, SUMS_OF_ASSETS, SUMS_OF_SUMS, type SumColumns, scoreSums } from './sum-columns.ts';

/** The start of a page of groups: after the previous page. */
export interface GroupPlace {
  /** Its score in hundredths; −1 if it has none. */
  rank: number;
  /** The first 600 characters of its name, and the MD5 of the whole. */
  name: string;
  nameHash: string;
}

export interface GroupRow extends GroupPlace {
  /** In full. */
  group: string;
  sum: ScoreSums;
}

/** Inputs of groups' scores: stored sums for the present, the assets of that time for the past. */
@Injectable()
export class RiskSumsRepository {
  constructor(@Inject(READ_DATABASE) private readonly db: Kysely<Schema>) {}

  /** Of all assets. @param past epoch milliseconds; null for the present */
  async organization(past: number | null): Promise<ScoreSums> {
    const { rows } = await sql<SumColumns>`
      select ${SUM_COLUMNS} from (
        select ${SUMS_OF_SUMS} from ${past === null ? sumsNow('organization') : sumsAt(past, sql`''`)}
      ) summed`.execute(this.db);
    return scoreSums(rows[0]!);
  }

  /** Groups that have assets, or the one with the name, among `names` if given: the greatest score by the model first, none last, then by name. */
  async groups(
    model: ScoringModel,
    { kind, name, names }: { kind: GroupKind; name?: string | undefined; names: readonly string[] | null },
    past: number | null,
    after: GroupPlace | null,
    limit: number,
  ): Promise<GroupRow[]> {
    const behind = after
      ? sql`where rank < ${after.rank} or (rank = ${after.rank}
              and (left(name, 600) collate "C", md5(name)) > (${after.name}, ${after.nameHash}))`
      : sql``;
    const { rows } = await sql<SumColumns & GroupPlace & { group: string }>`
      select name as "group", left(name, 600) as name, md5(name) as "nameHash", rank, ${SUM_COLUMNS}
      from (
        select *, ${rankBy(model)} as rank from (
          select name, ${SUMS_OF_SUMS} from ${past === null ? sumsNow(kind) : sumsAt(past, GROUP_COLUMNS[kind])}
          where ${name === undefined ? sql`true` : sql`name = ${name}`}
            and ${names === null ? sql`true` : sql`name = any(${[...names]}::text[])`}
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
      sum: scoreSums(sum),
    }));
  }
}

/** As `groupScore` and `groupRisk` round it: square roots of floating point are alike everywhere (IEEE 754). */
const rankBy = (model: ScoringModel) => {
  const divisor = model === 'posture-1' ? sql`scored_assets` : sql`assets`;
  return sql`case when scored_assets = 0 then -1
    else floor(sqrt(sqrt(fourth_powers::float8 / ${divisor}::float8)) + 0.5)::int end`;
};

const sumsNow = (kind: GroupKind | 'organization') => sql`
  (select * from score_sums where kind = ${kind}) kept`;

/** One pass over the rows that were valid then. */
const sumsAt = (at: number, name: RawBuilder<string>) => sql`
  (select ${name} as name, ${SUMS_OF_ASSETS} from score_history where ${heldAt(at)} group by 1) held`;
