import { type Kysely, sql } from 'kysely';
import type { Schema } from '#libs/database';
import { partitionKey } from '#libs/domain';
import type { StoredRecord } from '#libs/event-log';
import { decodeBatch } from '#libs/fold';

/** Partition → the offset after the last correction of its clock; partitions without one are missing. */
export type Corrections = ReadonlyMap<number, number>;

/** The corrections that are folded. */
export async function foldedCorrections(db: Kysely<Schema>): Promise<Corrections> {
  const { rows } = await sql<{ partition: number; next: number }>`
    select partition, max(log_offset) + 1 as next from acts
    where action = 'clock.corrected' and refused is null group by partition`.execute(db);
  return new Map(rows.map(({ partition, next }) => [partition, next]));
}

/** The corrections in some records, of which each partition's are in the order of offsets. */
export async function correctionsIn(batches: AsyncIterable<StoredRecord[]>): Promise<Corrections> {
  const found = new Map<number, number>();
  for await (const records of batches) {
    for (const record of records) {
      const { partition, offset, key } = record;
      if (key !== partitionKey(partition)) continue;
      const [decoded] = decodeBatch([record], 0).decoded;
      if (decoded?.event.payload.type === 'ClockCorrected') found.set(partition, offset + 1);
    }
  }
  return found;
}
