import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { instant } from '#libs/database';
import { belongedToVisibleAfter, type RowLimits } from '#libs/tables';
import type { Run } from './unread-runs.ts';

/** Findings that an upload changed, in runs of the history that contain all of its changes (ADR-0138). */
export interface ChangedFindings {
  uploadId: string;
  runs: readonly Run[];
  /** Changes until an instant, in epoch ms; null: all. */
  until: number | null;
  /** Changes after which the asset was visible. */
  rowLimits: RowLimits;
}

/**
 * Condition on a row `f` of findings: an event of the upload changed it. The runs are read once, by the primary key of
 * the history; `offset 0` keeps the planner from looking up the history of each finding instead. On a divided database,
 * each machine reads the runs of its partitions.
 */
export const isChangedBy = (
  { uploadId, runs, until, rowLimits }: ChangedFindings,
  divided: boolean,
): RawBuilder<SqlBool> => {
  const conditions = [
    sql`c.partition = run.partition and c.sequence between run.first and run.last`,
    sql`c.cause ->> 'uploadId' = ${uploadId}`,
    ...(until === null ? [] : [sql`c.at <= ${instant(until)}`]),
    ...belongedToVisibleAfter(rowLimits, 'c', sql.ref('c.log_offset')),
  ];
  const isOfUpload = sql.join(conditions, sql` and `);
  const changed = divided
    ? sql`select c.asset_no, c.finding_no from ${rangesOf(runs)} join finding_history c on ${isOfUpload} offset 0`
    : sql`
      select h.asset_no, h.finding_no from ${rangesOf(runs)}
      cross join lateral (
        select c.asset_no, c.finding_no from finding_history c where ${isOfUpload} offset 0) h`;
  return sql`(f.asset_no, f.finding_no) in (${changed})`;
};

/** Rows `run`. */
const rangesOf = (runs: readonly Run[]): RawBuilder<unknown> => sql`
  unnest(
    ${runs.map(({ partition }) => partition)}::int[],
    ${runs.map(({ first }) => first)}::bigint[],
    ${runs.map(({ last }) => last)}::bigint[]) as run (partition, first, last)`;
