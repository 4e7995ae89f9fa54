import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { instant } from '#libs/database';
import { belongedToVisible, type RowLimits } from '#libs/tables';

/**
 * SQL of failing periods (R-SLA-1) in the history. A finding keeps only its last period: those before are in its earlier
 * changes. The conditions are those of the indexes of migration 0052.
 */

/** That a change `c` made a finding Failed that was in another state. */
export const HAS_BECOME_FAILED = sql<SqlBool>`(c.to_state = 'Failed' and c.from_state <> 'Failed')`;

/**
 * That a finding `f` became Failed at `from` or later, for the first time or again: when the service learned of it, not
 * when its source first saw it. For limited callers, when the asset was visible.
 * @param until of findings as of an instant, in epoch milliseconds
 */
export const becameFailed = (from: number, rows: RowLimits, until?: number): RawBuilder<SqlBool> => {
  const conditions = [
    sql`c.asset_no = f.asset_no and c.finding_no = f.finding_no and c.partition = f.partition`,
    sql`c.to_state = 'Failed' and c.from_state is distinct from 'Failed' and c.at >= ${instant(from)}`,
    ...(until === undefined ? [] : [sql`c.at <= ${instant(until)}`]),
    ...belongedToVisible(rows, 'c', sql.ref('c.at')),
  ];
  return sql`exists (select from finding_history c where ${sql.join(conditions, sql` and `)})`;
};

/** To be joined laterally: the failing period that had ended before a change `c`; times are null if there was none. */
export const ENDED_BEFORE: RawBuilder<unknown> = sql`
  (select (b.body ->> 'failedSince')::bigint as failed_ms, (b.body ->> 'settledAt')::bigint as settled_ms
    from finding_history b
    where b.asset_no = c.asset_no and b.finding_no = c.finding_no and b.partition = c.partition
      and b.sequence < c.sequence
    order by b.sequence desc limit 1)`;

/** That a change `e` can have ended a failing period. One from Not Assessed may come after the end. */
export const CAN_HAVE_ENDED = sql<SqlBool>`
  (e.to_state in ('Qualified', 'Retired') and e.from_state in ('Failed', 'NotAssessed', 'AcceptedFailed'))`;

/** That a finding ended its period by change `e` although nothing says that it was remedied. */
export const IS_NO_REMEDY = sql<SqlBool>`(e.to_state = 'Retired' and e.reason is distinct from 'replaced')`;

/** The end of the period that a change `e` ended, in epoch milliseconds: an expiry, or the change. */
export const ENDED_MS = sql<number>`(extract(epoch from coalesce(e.expired_at, e.at)) * 1000)::bigint`;

/**
 * Findings that failed again, after a failing period had ended, at `from` or later, as (asset_no, finding_no). For limited
 * callers, when the asset was visible, as in the history of the finding.
 * @param until of findings as of an instant, in epoch milliseconds
 */
export const failedAgain = (from: number, rows: RowLimits, until?: number): RawBuilder<unknown> => {
  const conditions = [
    HAS_BECOME_FAILED,
    sql`c.at >= ${instant(from)} and p.settled_ms is not null`,
    ...(until === undefined ? [] : [sql`c.at <= ${instant(until)}`]),
    ...belongedToVisible(rows, 'c', sql.ref('c.at')),
  ];
  return sql`
    (select c.asset_no, c.finding_no from finding_history c cross join lateral ${ENDED_BEFORE} p
      where ${sql.join(conditions, sql` and `)})`;
};
