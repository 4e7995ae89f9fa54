import type { BatchBounds } from '../delivery/batch-bounds.ts';
import { RecordsGoneError, type StoredRecord } from '../event-log.ts';
import type { Connection } from './append-records.ts';
import { type Range, readRecords, readStart } from './read-records.ts';

/**
 * As `readRecords`, for a range that begins below the end of its partition.
 * @throws RecordsGoneError if the partition begins after `from`; a later gap is not an error
 */
export async function readPresent(
  connection: Connection,
  range: Range,
  bounds: BatchBounds,
): Promise<StoredRecord[]> {
  const records = await readRecords(connection, range, bounds);
  if (records[0]?.offset === range.from) return records;
  const { topic, partition, from } = range;
  const start = await readStart(connection, topic, partition);
  if (start <= from) return records;
  throw new RecordsGoneError(
    `records are missing from the log: ${topic}/${partition} begins at ${start}, but offset ${from} was requested`,
  );
}
