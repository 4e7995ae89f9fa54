import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { DATABASE, instant, type Schema } from '#libs/database';
import { addRiskSums, EMPTY_RISK_SUM, type RiskSum, subtractRiskSum } from '#libs/domain';
import { FOURTH_POWERS, GROUP_COLUMNS, type GroupKind } from './score-groups.ts';

/** A group by its name. */
export interface Group {
  kind: GroupKind;
  name: string;
}

/** What a score was, from when to when. */
export interface ScorePeriod {
  from: number;
  /** Infinity while it lasts. */
  to: number;
  score: number | null;
  likelihood: number | null;
  type: string;
  attackSurface: string;
  department: string;
  location: string;
}

interface Lasting {
  /** The first point at which the rows summed held, and the first at which they held no more. */
  begin: number;
  end: number;
  assets: number;
  scoredAssets: number;
  fourthPowers: string;
  likelihood: number;
}

@Injectable()
export class ScoreHistoryRepository {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  /**
   * What a group, or the organization, was at each of some instants, in one pass over the history: what begins and ends
   * between two of them is summed by the database, and added up from the first on.
   * @param points ascending epoch milliseconds, at least one
   */
  async sumsAt(points: readonly number[], group: Group | null): Promise<RiskSum[]> {
    const instants = sql`${points.map((ms) => new Date(ms).toISOString())}::timestamptz[]`;
    const ofGroup = group ? sql`and ${GROUP_COLUMNS[group.kind]} = ${group.name}` : sql``;
    const { rows } = await sql<Lasting>`
      select ${firstPointFrom('valid_from', instants)} as begin, ${firstPointFrom('valid_to', instants)} as end,
             count(*) as assets, count(score) as "scoredAssets", ${FOURTH_POWERS}::text as "fourthPowers",
             coalesce(sum(likelihood), 0) as likelihood
      from score_history
      where valid_from <= ${instant(points.at(-1)!)} and valid_to > ${instant(points[0]!)} ${ofGroup}
      group by 1, 2`.execute(this.db);
    return runningSums(rows, points.length);
  }

  /** Of an asset, the newest first; those that began by `until`, in epoch milliseconds, and before `before`. */
  async ofAsset(
    assetNo: number,
    until: number,
    before: number | null,
    limit: number,
  ): Promise<ScorePeriod[]> {
    const { rows } = await sql<ScorePeriod>`
      select valid_from as "from", valid_to as "to", score, likelihood, type, attack_surface as "attackSurface",
             department, location
      from score_history
      where asset_no = ${assetNo} and valid_from <= ${instant(until)}
        ${before === null ? sql`` : sql`and valid_from < ${instant(before)}`}
      order by valid_from desc limit ${limit}`.execute(this.db);
    return rows;
  }
}

/** SQL of the index of the first point that is not before an instant; the number of points where all are. */
const firstPointFrom = (column: 'valid_from' | 'valid_to', instants: ReturnType<typeof sql>) =>
  sql`width_bucket(${sql.ref(column)} - interval '1 microsecond', ${instants})`;

function runningSums(rows: Lasting[], count: number): RiskSum[] {
  const changes = Array.from({ length: count }, () => EMPTY_RISK_SUM);
  for (const { begin, end, fourthPowers, ...counts } of rows) {
    const sum = { ...counts, fourthPowers: BigInt(fourthPowers) };
    if (begin < count) changes[begin] = addRiskSums(changes[begin]!, sum);
    if (end < count) changes[end] = subtractRiskSum(changes[end]!, sum);
  }
  let running: RiskSum = EMPTY_RISK_SUM;
  return changes.map((change) => {
    running = addRiskSums(running, change);
    return running;
  });
}
