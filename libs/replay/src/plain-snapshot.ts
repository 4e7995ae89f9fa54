import type { Database } from '#libs/database';
import type { Connection } from './queryable.ts';

/** Begins a transaction with one snapshot, in which values have the same text for all server settings. */
export async function beginPlainSnapshot(connection: Connection): Promise<void> {
  await connection.query(`
    begin isolation level repeatable read read only;
    set local statement_timeout = 0;
    set local idle_in_transaction_session_timeout = 0;
    set local timezone = 'UTC';
    set local datestyle = 'ISO, YMD';
    set local intervalstyle = 'iso_8601';
    set local extra_float_digits = 1;
    set local bytea_output = 'hex'`);
  // The snapshot is taken by the first statement that reads.
  await connection.query('select 1');
}

/** Reads on a separate connection, in such a transaction. */
export async function inPlainSnapshot<T>(
  { pool }: Database,
  read: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = await pool.connect();
  try {
    await beginPlainSnapshot(connection);
    return await read(connection);
  } finally {
    connection.release(true);
  }
}
