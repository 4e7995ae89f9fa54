import type { Kysely } from 'kysely';
import type { Schema } from '#libs/database';
import { PARTITION_START, type PartitionPosition } from '#libs/fold';

/** The stored position of a partition; the start if it was never folded. */
export async function readPosition(db: Kysely<Schema>, partition: number): Promise<PartitionPosition> {
  const row = await db
    .selectFrom('projection_positions')
    .selectAll()
    .where('partition', '=', partition)
    .executeTakeFirst();
  if (!row) return PARTITION_START;
  return {
    nextOffset: row.next_offset,
    clock: row.clock,
    assetCounter: row.asset_counter,
    findingSequence: row.finding_sequence,
    assetSequence: row.asset_sequence,
  };
}
