import type pg from 'pg';
import { endsConnection } from '#libs/database';

/** Runs `work` in a transaction that is durable once this resolves; a connection that broke, or only reads, is not used again. */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let isIntact = false;
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    isIntact = true;
    return result;
  } catch (error) {
    if (!endsConnection(error)) {
      isIntact = await client.query('rollback').then(
        () => true,
        () => false,
      );
    }
    throw error;
  } finally {
    client.release(!isIntact);
  }
}
