import { type Kysely, sql } from 'kysely';
import type { Schema } from '#libs/database';
import { instant } from '#libs/database';
import type { ChangeCursor, ChangeVector, StreamTopic } from './change-cursor.ts';

/** Topics whose times never decrease within a partition: they are those of its clock (R-FOLD-3). */
const HISTORIES = { assets: 'asset_history', findings: 'finding_history' } as const;

/**
 * The place after which every change of these topics lies that is of an instant or later; among scores, which an
 * import changes for instants that have passed, also some that are older.
 * @param at epoch ms
 * @param heads how far the changes reach
 */
export async function cursorAt(
  db: Kysely<Schema>,
  topics: readonly StreamTopic[],
  at: number,
  heads: ChangeVector,
): Promise<ChangeCursor> {
  const cursor: ChangeCursor = {};
  for (const topic of topics) {
    cursor[topic] =
      topic === 'scores'
        ? await scoresBefore(db, at, heads.scores)
        : await historyBefore(db, HISTORIES[topic], at, heads[topic]);
  }
  return cursor;
}

/**
 * Binary search over all partitions, one statement a step. The positions let each machine of a divided database search its
 * own partitions. A change that the retention has removed was not later than
 * the one that is left before it.
 */
async function historyBefore(
  db: Kysely<Schema>,
  table: (typeof HISTORIES)[keyof typeof HISTORIES],
  at: number,
  heads: readonly number[],
): Promise<number[]> {
  const before = heads.map(() => 0);
  const end = [...heads];
  for (;;) {
    const open = before.flatMap((sequence, partition) => (sequence < end[partition]! ? [partition] : []));
    if (open.length === 0) return before;
    const middles = open.map((partition) => Math.ceil((before[partition]! + end[partition]!) / 2));
    const { rows } = await sql<{ partition: number }>`
      select t.partition
      from (
        select p.partition, m.sequence from projection_positions p
        join unnest(${open}::int[], ${middles}::bigint[]) as m (partition, sequence) on m.partition = p.partition
      ) t
      left join lateral (
        select h.at from ${sql.table(table)} h
        where h.partition = t.partition and h.sequence <= t.sequence order by h.sequence desc limit 1
      ) h on true
      where coalesce(h.at, '-infinity') < ${instant(at)}`.execute(db);
    const isBefore = new Set(rows.map(({ partition }) => partition));
    for (const [i, partition] of open.entries()) {
      if (isBefore.has(partition)) before[partition] = middles[i]!;
      else end[partition] = middles[i]! - 1;
    }
  }
}

async function scoresBefore(db: Kysely<Schema>, at: number, heads: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ partition: number; first: number }>`
    select partition, min(sequence) as first from score_changes
    where at >= ${instant(at)} group by partition`.execute(db);
  const before = [...heads];
  for (const { partition, first } of rows) {
    if (first <= heads[partition]!) before[partition] = first - 1;
  }
  return before;
}
