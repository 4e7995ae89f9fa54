import { type Kysely, sql } from 'kysely';
import type { Schema } from '#libs/database';
import type { Correction } from './two-folds.ts';

/** A partition whose clock a wrong clock had put ahead. */
export interface WrongPartition {
  partition: number;
  /** Of the partition, in epoch ms, if it still is ahead; null: it was corrected. */
  ahead: number | null;
  /** In the order of their offsets. */
  corrections: Correction[];
}

/**
 * Partitions with a clock that is ahead, and partitions with a corrected clock, by number, up to the folded position.
 * @param latest epoch ms: a clock that is later is ahead
 */
export async function wrongPartitions(db: Kysely<Schema>, latest: number): Promise<WrongPartition[]> {
  const positions = await db.selectFrom('projection_positions').select(['partition', 'clock']).execute();
  const { rows } = await sql<Correction & { partition: number }>`
    select partition, log_offset as offset, at from acts
    where action = 'clock.corrected' and refused is null order by partition, log_offset`.execute(db);
  return positions
    .map(({ partition, clock }) => ({
      partition,
      ahead: clock > latest ? clock : null,
      corrections: rows
        .filter((row) => row.partition === partition)
        .map(({ offset, at }) => ({ offset, at })),
    }))
    .filter(({ ahead, corrections }) => ahead !== null || corrections.length > 0)
    .sort((a, b) => a.partition - b.partition);
}
