import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Schema } from '#libs/database';

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
    kind: string;
    uploadId: string | null;
    entry: string | null;
    syncId: string | null;
    user: string | null;
  };
  logOffset: number;
}

/** A finding by its numbers. */
export interface FindingNumbers {
  assetNo: number;
  findingNo: number;
}

/**
 * Changes of a finding, oldest first.
 * @param after the last sequence of the page before; 0 for the first page
 * @param until an instant in epoch milliseconds; without it all changes
 */
export async function readHistory(
  db: Kysely<Schema>,
  { assetNo, findingNo }: FindingNumbers,
  after: number,
  limit: number,
  until?: number,
): Promise<HistoryRow[]> {
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
    ])
    .where('asset_no', '=', assetNo)
    .where('finding_no', '=', findingNo)
    .where('sequence', '>', after)
    .$if(until !== undefined, (query) =>
      query.where(sql<SqlBool>`at <= ${new Date(until!).toISOString()}::timestamptz`),
    )
    .orderBy('sequence')
    .limit(limit)
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
  }));
}
