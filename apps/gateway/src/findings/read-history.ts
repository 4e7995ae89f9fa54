import { type Kysely, type SqlBool, sql } from 'kysely';
import { instant, type Schema } from '#libs/database';
import type { Finding } from '#libs/domain';
import { belongedToVisible, type RowLimits } from '#libs/tables';

/** A change of a finding. */
export interface HistoryRow {
  partition: number;
  sequence: number;
  at: number;
  change: string;
  fromState: string | null;
  toState: string;
  reason: string | null;
  cause: {
    eventId: string;
    kind: string;
    uploadId: string | null;
    entry: string | null;
    syncId: string | null;
    user: string | null;
    requestId: string | null;
  };
  logOffset: number;
  /** The finding after the change. */
  finding: Finding;
}

interface ReadRow extends HistoryRow {
  /** Whether the asset was one of the caller's rows after the change. */
  isVisible: boolean;
}

/** A finding by its numbers. */
export interface FindingNumbers {
  assetNo: number;
  findingNo: number;
}

/** Rows read at once, each with a whole finding: the limit of those in memory. */
const ROWS_AT_ONCE = 64;

/**
 * Changes of a finding, oldest first, each with the finding before it (null at its creation). Most histories need one
 * index look-up; a longer one is read piece by piece.
 * @param after the last sequence of the page before; 0 for the first page
 * @param until an instant in epoch milliseconds; undefined: all changes
 * @param rows changes while the asset belonged to others are omitted, also from the difference of the next change
 * @param open opens the sealed texts of the rows: a view may cut texts
 * @param view of a change with the previous version; findings are not kept after it
 */
export async function readHistory<T>(
  db: Kysely<Schema>,
  finding: FindingNumbers,
  { after, limit, until }: HistoryRange,
  rowLimits: RowLimits,
  open: (rows: ReadRow[]) => Promise<ReadRow[]>,
  view: (row: HistoryRow, before: Finding | null) => T,
): Promise<T[]> {
  const views: T[] = [];
  let previous: ReadRow | undefined;
  let last = after;
  while (views.length < limit) {
    const wanted = Math.min(limit - views.length, ROWS_AT_ONCE);
    const rows = await open(
      await readRows(db, finding, rowLimits, last, wanted, until, previous === undefined),
    );
    for (const row of rows) {
      const before = versionBefore(row, previous);
      if (row.sequence > after && row.isVisible) views.push(view(row, before));
      previous = row;
    }
    const taken = rows.filter(({ sequence }) => sequence > last).length;
    if (taken < wanted) break;
    last = previous!.sequence;
  }
  return views;
}

/** Null at creation. The first change that is kept is shown without differences: those to its predecessor are unknown. */
function versionBefore(row: ReadRow, previous: ReadRow | undefined): Finding | null {
  if (previous) return previous.isVisible ? previous.finding : null;
  return row.finding.version > 1 ? row.finding : null;
}

export interface HistoryRange {
  after: number;
  limit: number;
  until: number | undefined;
}

/** @param withPrevious whether the row before the first is wanted too */
async function readRows(
  db: Kysely<Schema>,
  { assetNo, findingNo }: FindingNumbers,
  rowLimits: RowLimits,
  after: number,
  limit: number,
  until: number | undefined,
  withPrevious: boolean,
): Promise<ReadRow[]> {
  const isFirst = withPrevious && after > 0;
  const visible = [
    sql`true`,
    ...belongedToVisible(rowLimits, 'finding_history', sql.ref('finding_history.at')),
  ];
  const rows = await db
    .selectFrom('finding_history')
    .select([
      'partition',
      'sequence',
      'at',
      'change',
      'from_state',
      'to_state',
      'reason',
      'cause',
      'log_offset',
      'body',
      sql<boolean>`(${sql.join(visible, sql` and `)})`.as('is_visible'),
    ])
    .where('asset_no', '=', assetNo)
    .where('finding_no', '=', findingNo)
    .$if(!isFirst, (query) => query.where('sequence', '>', after))
    .$if(isFirst, (query) =>
      query.where(sql<SqlBool>`sequence >= coalesce(${sequenceUpTo(assetNo, findingNo, after)}, 0)`),
    )
    .$if(until !== undefined, (query) => query.where(sql<SqlBool>`at <= ${instant(until!)}`))
    .orderBy('sequence')
    .limit(limit + Number(isFirst))
    .execute();
  return rows.map((row) => ({
    partition: row.partition,
    sequence: row.sequence,
    at: row.at,
    change: row.change,
    fromState: row.from_state,
    toState: row.to_state,
    reason: row.reason,
    cause: row.cause as HistoryRow['cause'],
    logOffset: row.log_offset,
    finding: row.body as Finding,
    isVisible: row.is_visible,
  }));
}

/** Of the last change up to a sequence: a cursor may name a change of another finding. */
const sequenceUpTo = (assetNo: number, findingNo: number, sequence: number) => sql<number>`
  (select max(sequence) from finding_history
    where asset_no = ${assetNo} and finding_no = ${findingNo} and sequence <= ${sequence})`;
