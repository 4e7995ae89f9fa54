import type { Database } from '#libs/database';

/** Ends what earlier work has left to PostgreSQL, so that the next run does not pay for it. */
export async function settle({ pool }: Database): Promise<void> {
  await pool.query('vacuum (analyze)');
  await pool.query('checkpoint');
}
