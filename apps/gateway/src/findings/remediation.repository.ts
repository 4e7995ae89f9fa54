import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { instant, isDivided, onOneCore, READ_DATABASE, type Schema } from '#libs/database';
import { DAY_MS, type Level } from '#libs/domain';
import { belongedToVisible, type RowLimits, sameAsset } from '#libs/tables';
import { assertPeriodKept } from '../paging/kept-history.ts';
import { eachOf } from '../paging/one-or-more.ts';
import { anyWay, assigneeWays } from './assignee-ways.ts';
import {
  CAN_HAVE_ENDED,
  ENDED_BEFORE,
  ENDED_MS,
  HAS_BECOME_FAILED,
  IS_NO_REMEDY,
} from './failing-periods.ts';
import { type FindingFilter, findingConditions } from './finding-conditions.ts';
import { joinedStateAt, pastConditions, SEVERITY_AT } from './past-finding-sql.ts';

export const WEEK_MS = 7 * DAY_MS;

/** Failing periods that ended within a time, in epoch milliseconds; the second is the instant of the read. */
export interface RemediationWindow {
  from: number;
  to: number;
}

/** Figures of a level, of a week (0: the last one), or of all periods, which has neither. */
export interface MeasuredPeriods {
  severityLevel: Level | null;
  week: number | null;
  remedied: number;
  reopened: number;
  endedOtherwise: number;
  meanMs: number | null;
  /** Median and 90th percentile. */
  percentilesMs: [number, number] | null;
}

@Injectable()
export class RemediationRepository {
  constructor(@Inject(READ_DATABASE) private readonly db: Kysely<Schema>) {}

  /**
   * @throws GoneException if the history of the window is not kept
   */
  async measure(
    filter: FindingFilter,
    rows: RowLimits,
    window: RemediationWindow,
    isPast: boolean,
  ): Promise<MeasuredPeriods[]> {
    const ended = isPast
      ? endedPeriodsAt(filter, rows, window)
      : endedPeriods(filter, rows, window, await isDivided(this.db));
    const periods = await onOneCore(
      this.db,
      async (trx) => (await measured(ended, window).execute(trx)).rows,
    );
    await assertPeriodKept(this.db, window.from, filter.type === undefined ? undefined : eachOf(filter.type));
    return periods;
  }
}

/**
 * Of present findings: their last periods, from an index that has all that is measured, and those before, which only
 * findings have that failed again. The index does not have the partition, which a divided database needs.
 */
function endedPeriods(filter: FindingFilter, rows: RowLimits, { from }: RemediationWindow, divided: boolean) {
  const conditions = [...findingConditions(filter, rows, divided), ...anyWay(assigneeWays(filter))];
  const isOfSameAsset = sameAsset(divided);
  const partitionOf = (row: string) => (divided ? sql`${sql.ref(`${row}.partition`)},` : sql``);
  return sql`
    select p.severity, p.failed_ms, p.settled_ms, p.is_reopened, o.asset_no is not null as is_no_remedy
    from (
      select ${partitionOf('f')} f.asset_no, f.finding_no, f.severity_value as severity, f.failed_since_ms as failed_ms,
             f.settled_at_ms as settled_ms, false as is_reopened
      from findings f
      where ${sql.join(
        [
          sql`f.settled_at_ms >= ${from}::bigint`,
          ...conditions,
          ...wasVisibleAt(rows, 'f', sql`f.settled_at_ms`),
        ],
        sql` and `,
      )}
      union all
      select ${partitionOf('f')} f.asset_no, f.finding_no, f.severity_value, p.failed_ms, p.settled_ms, true
      from finding_history c
      cross join lateral ${ENDED_BEFORE} p
      join findings f on ${isOfSameAsset('f', 'c')} and f.finding_no = c.finding_no
      where ${sql.join(
        [
          HAS_BECOME_FAILED,
          sql`c.at >= ${instant(from)}`,
          sql`p.settled_ms >= ${from}::bigint`,
          ...conditions,
          ...wasVisibleAt(rows, 'c', sql`p.settled_ms`),
        ],
        sql` and `,
      )}
    ) p
    left join (
      select ${partitionOf('e')} e.asset_no, e.finding_no, ${ENDED_MS} as settled_ms from finding_history e
      where ${CAN_HAVE_ENDED} and ${IS_NO_REMEDY} and e.at >= ${instant(from)}
    ) o on ${isOfSameAsset('o', 'p')} and o.finding_no = p.finding_no and o.settled_ms = p.settled_ms`;
}

/** As `endedPeriods`, as of the end of the window: from the changes until then. */
const endedPeriodsAt = (filter: FindingFilter, rows: RowLimits, { from, to }: RemediationWindow) => sql`
  select ${SEVERITY_AT} as severity, (e.body ->> 'failedSince')::bigint as failed_ms, ${ENDED_MS} as settled_ms,
         exists (
           select from finding_history c
           where c.asset_no = e.asset_no and c.finding_no = e.finding_no and c.partition = e.partition
             and c.sequence > e.sequence and c.at <= ${instant(to)} and ${HAS_BECOME_FAILED}) as is_reopened,
         ${IS_NO_REMEDY} as is_no_remedy
  from finding_history e
  cross join lateral (select e.asset_no, e.finding_no, e.partition) f
  ${joinedStateAt(to)}
  where ${sql.join(
    [
      CAN_HAVE_ENDED,
      sql`e.at >= ${instant(from)} and e.at <= ${instant(to)}`,
      sql`${ENDED_MS} >= ${from}::bigint`,
      sql`(e.body ->> 'settledAt')::bigint = ${ENDED_MS}`,
      ...pastConditions(filter, rows, to),
      ...wasVisibleAt(rows, 'e', ENDED_MS),
    ],
    sql` and `,
  )}`;

/** Limited callers measure the periods that ended while the asset was visible. @param row alias @param ms its end */
const wasVisibleAt = (rows: RowLimits, row: string, ms: RawBuilder<unknown>) =>
  belongedToVisible(rows, row, sql`to_timestamp(${ms} / 1000.0)`);

/** Materialized: PostgreSQL that is divided over machines refuses grouping sets of its tables, but not of a result. */
const measured = (ended: RawBuilder<unknown>, { from, to }: RemediationWindow) => sql<MeasuredPeriods>`
  with periods as materialized (
    select severity_level(severity) as level,
           least(greatest((${to}::bigint - 1 - settled_ms) / ${WEEK_MS}, 0), ${lastWeek({ from, to })})::int as week,
           (settled_ms - failed_ms)::float8 as ms, is_reopened, is_no_remedy
    from (${ended}) ended
  )
  select level as "severityLevel", week,
         (count(*) filter (where not is_no_remedy))::int as remedied,
         (count(*) filter (where not is_no_remedy and is_reopened))::int as reopened,
         (count(*) filter (where is_no_remedy))::int as "endedOtherwise",
         avg(ms) filter (where not is_no_remedy) as "meanMs",
         percentile_cont(array[0.5, 0.9]) within group (order by ms) filter (where not is_no_remedy)
           as "percentilesMs"
  from periods
  group by grouping sets ((level), (week), ())`;

/** The place of the oldest week of a window, from 0. */
export const lastWeek = ({ from, to }: RemediationWindow): number => Math.ceil((to - from) / WEEK_MS) - 1;
