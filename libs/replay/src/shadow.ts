import { isDeepStrictEqual } from 'node:util';
import {
  type AppliedMigration,
  assertTablesOfThisVersion,
  type Database,
  isLockConflict,
  openDatabase,
  readApplied,
} from '#libs/database';
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

/** Schema of the tables that a replay has replaced, until they are dropped. */
export const REPLACED = 'posture_replaced';

/** Schema of a shadow → what a run of it can leave if it is interrupted. */
const SHADOWS = {
  posture_replay: ['posture_replay', REPLACED],
  posture_verify: ['posture_verify'],
  posture_checkpoint: ['posture_checkpoint'],
};

export interface ShadowOptions {
  databaseUrl: string;
  /** Has `undo` called also if the process is interrupted; what it returns is called at the end of the run. */
  undoable?: ((undo: () => Promise<void>) => () => Promise<void>) | undefined;
}

const CONNECTIONS_MAX = 6;
/** One shadow of a name at a time; the lock ends with its session, even if the process crashes. */
const SHADOW_LOCK = 7_305_002;

/** Tables of findings, by their numbers. Not in the same statement: if PostgreSQL is divided, each machine has others. */
const FINDINGS_TABLES = `select array_agg(oid::bigint) as tables from pg_class where relname = 'findings'`;
/** Ends the sessions of an interrupted run, whose locks prevent that a schema is dropped; not such as those of pg_dump. */
const END_SESSIONS = `
  select pg_terminate_backend(pid) from pg_stat_activity
   where pid <> pg_backend_pid() and usename = current_user and backend_type = 'client backend'
     and application_name = current_setting('application_name') and datname = current_database()
     and pid in (select l.pid from pg_locks l join pg_class c on c.oid = l.relation
                  where c.relnamespace = to_regnamespace($1))`;
/** How long the drop waits for locks before sessions are ended again: some were opened in between. */
const DROP_LOCK_MS = 1_000;
const DROP_MS_MAX = 60_000;
/** Progress of the totals of tables that were dropped. */
const REMOVE_PROGRESS =
  'delete from public.totals_progress where findings_table::bigint <> all ($1::bigint[])';

/**
 * Makes an empty shadow. What interrupted runs of any shadow have left is dropped first.
 * @param storage `unlogged` is faster, and empty after a crash of PostgreSQL
 * @throws ShadowBusyError; MigrationError if the tables are those of another version
 */
export async function makeShadow(
  live: Database,
  { databaseUrl, undoable = (undo) => undo }: ShadowOptions,
  schema: keyof typeof SHADOWS,
  storage: 'logged' | 'unlogged',
): Promise<Shadow> {
  const lock = await live.pool.connect();
  let migrations: AppliedMigration[];
  try {
    if (!(await tryLock(lock, schema))) {
      throw new ShadowBusyError(`another run uses ${schema}: wait until it ends`);
    }
    await assertTablesOfThisVersion(lock);
    await dropLeft(lock);
    await lock.query(`create schema ${schema}`);
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
  const remove = async () => {
    void database.close();
    await endAndDrop(lock, schema)
      .then(() => lock.query('select pg_advisory_unlock_all()'))
      // The session ends, and the next run drops the rest.
      .catch(() => undefined);
    lock.release(true);
  };
  let removed: Promise<void> | undefined;
  const undo = undoable(() => {
    removed ??= remove();
    return removed;
  });
  return {
    schema,
    database,
    migrations,
    drop: async () => {
      await undo();
      await database.close();
    },
  };
}

/** The session can take a lock several times. */
async function tryLock(connection: Queryable, schema: string): Promise<boolean> {
  const { rows } = await connection.query('select pg_try_advisory_lock($1, hashtext($2)) as is_ours', [
    SHADOW_LOCK,
    schema,
  ]);
  return rows[0].is_ours;
}

/** A run that is killed leaves a whole copy of the tables. */
async function dropLeft(connection: Queryable): Promise<void> {
  for (const [schema, left] of Object.entries(SHADOWS)) {
    if ((await existing(connection, left)).length === 0) continue;
    if (!(await tryLock(connection, schema))) continue;
    await dropAll(connection, left);
    await connection.query('select pg_advisory_unlock($1, hashtext($2))', [SHADOW_LOCK, schema]);
  }
}

/** Sessions that were being opened when those of the fold were ended can still take locks. */
async function endAndDrop(connection: Queryable, schema: keyof typeof SHADOWS): Promise<void> {
  await connection.query(`set lock_timeout = ${DROP_LOCK_MS}`);
  const deadline = performance.now() + DROP_MS_MAX;
  for (;;) {
    try {
      await connection.query(END_SESSIONS, [schema]);
      await dropAll(connection, SHADOWS[schema]);
      return;
    } catch (error) {
      if (!isLockConflict(error) || performance.now() > deadline) throw error;
    }
  }
}

async function dropAll(connection: Queryable, schemas: string[]): Promise<void> {
  for (const name of await existing(connection, schemas)) {
    await connection.query(`drop schema if exists ${name} cascade`);
  }
}

/** Those that this role may drop. */
async function existing(connection: Queryable, schemas: string[]): Promise<string[]> {
  const { rows } = await connection.query(
    `select nspname as name from pg_namespace where nspname = any ($1) and pg_has_role(nspowner, 'usage')`,
    [schemas],
  );
  return rows.map(({ name }) => name);
}

/** @throws MigratedSinceError if the live tables were migrated after the shadow was made */
export async function assertNotMigrated(connection: Queryable, { migrations }: Shadow): Promise<void> {
  if (isDeepStrictEqual(await readApplied(connection), migrations)) return;
  throw new MigratedSinceError('the tables were migrated during the fold: run the command again');
}
