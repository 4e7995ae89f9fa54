import { type Kysely, sql } from 'kysely';
import type { FindingChanged } from '#libs/contracts';
import type { Schema } from '#libs/database';
import { trimmedThrough } from '#libs/tables';
import { type FindingHistoryRow, findingChanged } from './finding-changed.ts';
import { assertGapFree, type ChangeBounds, type HistoryRange } from './history-range.ts';
import { historyRows } from './history-rows.ts';

/**
 * The first changes of findings of a range, in order; empty only if the range has none. Rows are visible only after
 * they are flushed, because the projection commits synchronously: returned changes are never rolled back.
 * @throws HistoryGapError
 */
export async function readFindingChanges(
  db: Kysely<Schema>,
  range: HistoryRange,
  bounds: ChangeBounds,
): Promise<FindingChanged[]> {
  const rows = await readRows(db, range, bounds);
  assertGapFree('finding_history', range, rows);
  return rows.map((row) => findingChanged(row, range.partition));
}

/**
 * As `readFindingChanges`, without the changes that the retention of the history has removed (ADR-0108): for readers that
 * need the last change of each finding, which it never removes.
 * @throws HistoryGapError if others are missing
 */
export async function readKeptFindingChanges(
  db: Kysely<Schema>,
  range: HistoryRange,
  bounds: ChangeBounds,
): Promise<FindingChanged[]> {
  const rows = await readRows(db, range, bounds);
  assertGapFree('finding_history', range, rows, rows[0]?.trimmed_through);
  return rows.map((row) => findingChanged(row, range.partition));
}

interface Row extends FindingHistoryRow {
  trimmed_through: number;
}

/** With the trims in the same statement: one that is folded meanwhile would remove rows between two. */
async function readRows(db: Kysely<Schema>, range: HistoryRange, bounds: ChangeBounds): Promise<Row[]> {
  const { partition } = range;
  const { rows } = await sql<Row>`
    select h.sequence, h.at, h.change, h.from_state, h.to_state, h.reason, h.cause, h.log_offset, h.body, h.bytes,
           a.id as asset_id, a.name as asset_name, s.last_seen, s.expires_at,
           ${trimmedThrough(partition)} as trimmed_through
    from (${historyRows('finding_history', range, bounds)}) as h
    join assets a using (partition, asset_no)
    join finding_seen s using (partition, asset_no, finding_no)
    where a.partition = ${partition}
    order by h.sequence`.execute(db);
  return rows;
}
