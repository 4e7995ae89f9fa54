import type { Database } from '#libs/database';

/** Completes the background work of PostgreSQL, so that it does not slow the next run. */
export async function settle({ pool }: Database): Promise<void> {
  await pool.query('vacuum (analyze)');
  await pool.query('checkpoint');
}
