import type { Connection } from './append-records.ts';

/** Records removed by one statement, so that each statement is short. */
const OFFSETS_MAX = 1_000;

/** Removes the records of [first, before) of a partition, from the first on, some at a time. */
export async function trimRecords(
  connection: Connection,
  topic: string,
  partition: number,
  first: number,
  before: number,
): Promise<void> {
  for (let from = first; from < before; from += OFFSETS_MAX) {
    await connection.query({
      name: 'trim',
      text: 'delete from log_records where topic = $1 and partition = $2 and "offset" >= $3 and "offset" < $4',
      values: [topic, partition, from, Math.min(from + OFFSETS_MAX, before)],
    });
  }
}
