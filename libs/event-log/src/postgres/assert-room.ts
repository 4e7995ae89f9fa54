import type pg from 'pg';
import { isTransientError } from '#libs/database';

/** About 1 MB: more than the free space that tables and write-ahead log have left on a full disk, as a rule. */
const ROWS = 30_000;

/**
 * Writes to PostgreSQL's disk and removes it again.
 * @throws the error of PostgreSQL if that fails for a reason that prevents appends too; a user who may make no
 *   temporary table learns nothing
 */
export async function assertRoom(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    // A single statement is a transaction, at whose end the table is dropped.
    await client.query(
      `create temporary table posture_room on commit drop as select n from generate_series(1, ${ROWS}) n`,
    );
  } catch (error) {
    if (isTransientError(error)) failure = error as Error;
  } finally {
    client.release(failure);
  }
  if (failure) throw failure;
}
