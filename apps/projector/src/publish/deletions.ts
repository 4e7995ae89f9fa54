import { type Kysely, sql } from 'kysely';
import type { Schema } from '#libs/database';
import type { Deletion } from './finding-tombstone.ts';

/** Deletions read at a time. */
const DELETIONS_MAX = 20;

export interface DeletionsAhead {
  /** In order. */
  deletions: Deletion[];
  /** Every deletion up to this offset of the intake partition is among them, or came before. */
  knownTo: number;
  /** Of the last change of a finding. */
  findingSequence: number;
}

/** The deletions of assets that follow one. */
export async function readDeletions(
  db: Kysely<Schema>,
  partition: number,
  after: number,
): Promise<DeletionsAhead> {
  // One statement, so that position and deletions have the same time.
  const { rows } = await sql<
    { next_offset: number; finding_sequence: number } & (DeletionRow | Record<keyof DeletionRow, null>)
  >`
    select p.next_offset, p.finding_sequence, d.* from projection_positions p left join lateral (
      select sequence, at, log_offset, asset_no from asset_history
      where partition = ${partition} and change = 'deleted' and sequence > ${after}
      order by sequence limit ${DELETIONS_MAX}
    ) as d on true
    where p.partition = ${partition} order by d.sequence`.execute(db);
  const deletions = rows.flatMap((row) => (row.sequence === null ? [] : [deletionOf(row)]));
  const isCut = deletions.length === DELETIONS_MAX;
  return {
    deletions,
    knownTo: isCut ? deletions.at(-1)!.logOffset : (rows[0]?.next_offset ?? 0) - 1,
    findingSequence: rows[0]?.finding_sequence ?? 0,
  };
}

interface DeletionRow {
  sequence: number;
  at: number;
  log_offset: number;
  asset_no: number;
}

const deletionOf = ({ sequence, at, log_offset, asset_no }: DeletionRow): Deletion => ({
  sequence,
  at,
  logOffset: log_offset,
  assetNumber: asset_no,
});

/** The ids of all findings that a deleted asset had by that time, retired ones too. */
export async function readDeletedFindings(
  db: Kysely<Schema>,
  partition: number,
  { assetNumber, logOffset }: Deletion,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select f.id from findings f
    where f.partition = ${partition} and f.asset_no = ${assetNumber} and exists (
      select from finding_history h
      where h.asset_no = f.asset_no and h.finding_no = f.finding_no and h.partition = ${partition}
        and h.log_offset <= ${logOffset})
    order by f.finding_no`.execute(db);
  return rows.map(({ id }) => id);
}

/** Of changes of findings, by their sequences, those after whose event the asset is deleted. */
export async function ofDeletedAssets(
  db: Kysely<Schema>,
  partition: number,
  sequences: number[],
): Promise<Set<number>> {
  if (sequences.length === 0) return new Set();
  const { rows } = await sql<{ sequence: number }>`
    select c.sequence from finding_history c cross join lateral (
      select state from asset_history
      where partition = ${partition} and asset_no = c.asset_no and log_offset <= c.log_offset
      order by sequence desc limit 1
    ) h
    where c.partition = ${partition} and c.sequence = any(${sequences}::bigint[])
      and h.state ->> 'deletedAt' is not null`.execute(db);
  return new Set(rows.map(({ sequence }) => sequence));
}

/**
 * The last deletion of which the findings' tombstones are before a change of a finding, by its sequence; null if
 * the history has not reached that change. If the retention has removed the change, as of the last one that is left
 * before it: every finding that lives has its own last change there, or after the change that was removed.
 */
export async function lastDeletionBefore(
  db: Kysely<Schema>,
  partition: number,
  findingSequence: number,
): Promise<number | null> {
  const { rows } = await sql<{ deletion: number }>`
    select coalesce((
      select max(sequence) from asset_history
      where partition = ${partition} and change = 'deleted' and log_offset < h.log_offset
    ), 0) as deletion
    from projection_positions p
    left join lateral (
      select log_offset from finding_history
      where partition = ${partition} and sequence <= ${findingSequence} order by sequence desc limit 1
    ) as h on true
    where p.partition = ${partition} and p.finding_sequence >= ${findingSequence}`.execute(db);
  return rows[0]?.deletion ?? null;
}
