import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { newPool, type PoolOptions } from './pool.ts';
import { preparingPool } from './preparing-pool.ts';
import type { Schema } from './schema.ts';

/** Injection token of the `Kysely<Schema>` of a process. */
export const DATABASE = Symbol('DATABASE');
/** Injection token of the `Kysely<Schema>` for lists, counts, exports and states as of an instant: a read replica, if there is one. */
export const READ_DATABASE = Symbol('READ_DATABASE');
/** Injection token of the `pg.Pool` of `DATABASE`, for a connection that is kept. */
export const DATABASE_POOL = Symbol('DATABASE_POOL');
export type DatabasePool = pg.Pool;
export type DatabaseConnection = pg.PoolClient;

export interface Database {
  /** A statement that begins with a comment of one word is prepared under that name, once a connection. */
  db: Kysely<Schema>;
  /** For statements that Kysely has no words for; `db` uses the same connections. */
  pool: pg.Pool;
  /** Waits for the running statements; further calls wait for the same. */
  close(): Promise<void>;
}

/**
 * Opens a pool; no connection is made before the first statement, so this never throws for an absent database.
 * A statement fails after 60 s, a connection attempt or waiting for a free connection after 10 s.
 */
export function openDatabase(url: string, options: PoolOptions = {}): Database {
  const pool = newPool(url, options);
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: preparingPool(pool) }) });
  let closed: Promise<void> | undefined;
  return {
    db,
    pool,
    close: () => {
      closed ??= pool.end();
      return closed;
    },
  };
}
