import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { instant, READ_DATABASE, type Schema } from '#libs/database';
import { isoTime } from '#libs/domain';
import { addScoreSums, EMPTY_SCORE_SUMS, type ScoreSums, subtractScoreSums } from '#libs/scores';
import { isVisible, type RowLimits } from '#libs/tables';
import { GROUP_COLUMNS, type GroupKind } from './score-groups.ts';
import { likelihoodColumns, type StoredLikelihoods } from './stored-likelihoods.ts';
import { SUM_COLUMNS, SUMS_OF_ASSETS, type SumColumns, scoreSums } from './sum-columns.ts';

/** A group by its name. */
export interface Group {
  kind: GroupKind;
  name: string;
}

/** A score and its period. */
export interface ScorePeriod extends StoredLikelihoods {
  from: number;
  /** Infinity while it lasts. */
  to: number;
  score: number | null;
  /** Millionths, of posture-1. */
  likelihood: number | null;
  model: string;
  type: string;
  attackSurface: string;
  department: string;
  location: string;
}

interface Lasting extends SumColumns {
  /** The first point at which the summed rows were valid, and the first at which they were not. */
  begin: number;
  end: number;
}

@Injectable()
export class ScoreHistoryRepository {
  constructor(@Inject(READ_DATABASE) private readonly db: Kysely<Schema>) {}

  /**
   * The sums of a group, or the organization, at each of some instants, in one pass over the history: the database sums
   * the rows that begin and end between two of them, and these are added up from the first on.
   * @param points ascending epoch milliseconds, at least one
   */
  async sumsAt(points: readonly number[], group: Group | null): Promise<ScoreSums[]> {
    const instants = sql`${points.map(isoTime)}::timestamptz[]`;
    const ofGroup = group ? sql`and ${GROUP_COLUMNS[group.kind]} = ${group.name}` : sql``;
    const { rows } = await sql<Lasting>`
      select begin, "end", ${SUM_COLUMNS} from (
      select ${firstPointFrom('valid_from', instants)} as begin, ${firstPointFrom('valid_to', instants)} as "end",
             ${SUMS_OF_ASSETS}
      from score_history
      where valid_from <= ${instant(points.at(-1)!)} and valid_to > ${instant(points[0]!)} ${ofGroup}
      group by 1, 2) summed`.execute(this.db);
    return runningSums(rows, points.length);
  }

  /**
   * Periods of an asset, the newest first, that began at or before `until` and before `before`. Both are in epoch
   * milliseconds. Those in which the asset was none of `rowLimits` are omitted.
   */
  async ofAsset(
    assetNo: number,
    rowLimits: RowLimits,
    until: number,
    before: number | null,
    limit: number,
  ): Promise<ScorePeriod[]> {
    const conditions = [
      sql`asset_no = ${assetNo} and valid_from <= ${instant(until)}`,
      ...(before === null ? [] : [sql`valid_from < ${instant(before)}`]),
      ...isVisible(rowLimits, GROUP_COLUMNS),
    ];
    const { rows } = await sql<ScorePeriod>`
      select valid_from as "from", valid_to as "to", score, likelihood, ${likelihoodColumns('h')}, model, type,
             attack_surface as "attackSurface", department, location
      from score_history h
      where ${sql.join(conditions, sql` and `)}
      order by valid_from desc limit ${limit}`.execute(this.db);
    return rows;
  }
}

/** SQL of the index of the first point that is not before an instant; the number of points if all are. */
const firstPointFrom = (column: 'valid_from' | 'valid_to', instants: ReturnType<typeof sql>) =>
  sql`width_bucket(${sql.ref(column)} - interval '1 microsecond', ${instants})`;

function runningSums(rows: Lasting[], count: number): ScoreSums[] {
  const changes: ScoreSums[] = Array.from({ length: count }, () => EMPTY_SCORE_SUMS);
  for (const { begin, end, ...columns } of rows) {
    const sums = scoreSums(columns);
    if (begin < count) changes[begin] = addScoreSums(changes[begin]!, sums);
    if (end < count) changes[end] = subtractScoreSums(changes[end]!, sums);
  }
  let running: ScoreSums = EMPTY_SCORE_SUMS;
  return changes.map((change) => {
    running = addScoreSums(running, change);
    return running;
  });
}
