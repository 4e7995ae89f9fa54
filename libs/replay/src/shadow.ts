import { isDeepStrictEqual } from 'node:util';
import { type AppliedMigration, type Database, openDatabase, readApplied } from '#libs/database';
import { FOLDED_TABLES } from '#libs/tables';
import { copyTable } from './copy-table.ts';
import type { Queryable } from './queryable.ts';

/** The tables that a replay folds into, next to the live tables: the same tables, empty, in a separate schema. */
export interface Shadow {
  schema: string;
  /** Finds the shadow's tables before the live ones. */
  database: Database;
  /** Those of the live tables when they were copied. */
  migrations: AppliedMigration[];
  /** Removes it, unless it was swapped in. */
  drop(): Promise<void>;
}

/** Another replay or verification of the same database is in progress. */
export class ShadowBusyError extends Error {
  override name = 'ShadowBusyError';
}

/** The tables of the shadow are those of another version than the live ones; nothing was changed. */
export class MigratedSinceError extends Error {
  override name = 'MigratedSinceError';
}

const CONNECTIONS_MAX = 6;
/** One shadow of a name at a time; the lock ends with its session, even if the process crashes. */
const SHADOW_LOCK = 7_305_002;

/** Tables of findings, by their numbers. Not in the same statement: if PostgreSQL is divided, each machine has others. */
const FINDINGS_TABLES = `select array_agg(oid::bigint) as tables from pg_class where relname = 'findings'`;
/** Progress of the totals of tables that were dropped. */
const REMOVE_PROGRESS =
  'delete from public.totals_progress where findings_table::bigint <> all ($1::bigint[])';

/**
 * Makes an empty shadow; one that an interrupted run has left is dropped first.
 * @param schema lower-case letters and `_`
 * @param storage `unlogged` is faster, and empty after a crash of PostgreSQL
 * @throws ShadowBusyError
 */
export async function makeShadow(
  live: Database,
  databaseUrl: string,
  schema: string,
  storage: 'logged' | 'unlogged',
): Promise<Shadow> {
  const lock = await live.pool.connect();
  let migrations: AppliedMigration[];
  try {
    const { rows } = await lock.query('select pg_try_advisory_lock($1, hashtext($2)) as is_ours', [
      SHADOW_LOCK,
      schema,
    ]);
    if (!rows[0].is_ours) throw new ShadowBusyError(`another run uses ${schema}: wait until it ends`);
    await lock.query(`drop schema if exists ${schema} cascade; create schema ${schema}`);
    // Before the copies: a migration that runs between them is noticed.
    migrations = await readApplied(lock);
    for (const { name } of FOLDED_TABLES) await copyTable(lock, name, schema, storage);
    const { rows: found } = await lock.query(FINDINGS_TABLES);
    await lock.query(REMOVE_PROGRESS, [found[0].tables]);
  } catch (error) {
    lock.release(true);
    throw error;
  }
  const database = openDatabase(databaseUrl, {
    max: CONNECTIONS_MAX,
    // The shadow can be folded again: a commit need not wait for the disk.
    sessionSettings: { search_path: `${schema},public`, synchronous_commit: 'off' },
  });
  return {
    schema,
    database,
    migrations,
    drop: async () => {
      await database.close();
      // If that fails the session ends, and the next run drops the rest.
      await lock
        .query(`drop schema if exists ${schema} cascade`)
        .then(() => lock.query('select pg_advisory_unlock_all()'))
        .catch(() => undefined);
      lock.release(true);
    },
  };
}

/** @throws MigratedSinceError if the live tables were migrated after the shadow was made */
export async function assertNotMigrated(connection: Queryable, { migrations }: Shadow): Promise<void> {
  if (isDeepStrictEqual(await readApplied(connection), migrations)) return;
  throw new MigratedSinceError('the tables were migrated during the fold: run the command again');
}
