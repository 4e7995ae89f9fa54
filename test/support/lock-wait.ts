import type { Database } from '#libs/database';
import { until } from './until.ts';

/**
 * Waits until a statement of the database waits for a lock.
 * @param what is awaited, for the error
 * @param statement part of its text, as a regular expression of PostgreSQL; any if omitted
 */
export const untilLockWait = (
  what: string,
  { pool }: Pick<Database, 'pool'>,
  statement = '',
): Promise<void> =>
  until(what, async () => {
    const { rowCount } = await pool.query(
      `select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query ~* $1`,
      [statement],
    );
    return rowCount! > 0;
  });
