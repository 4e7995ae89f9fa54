import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { projectFile } from '#libs/project-files';
import { answeredWithin } from './answered-within.ts';
import { isLockConflict } from './lock-conflict.ts';
import { describeActivity, type ProgressOptions, whileReporting } from './migration-progress.ts';

const migrationsUrl = projectFile('migrations/');

/** Any number that nothing else locks: concurrent starts migrate one after the other. */
const MIGRATION_LOCK = 7_265_110_001;
/** A migration may rewrite a table. */
const STATEMENT_TIMEOUT_MS = 3_600_000;
/** The longest timer of Node, 24 days. */
const NO_TIMEOUT_MS = 2_147_483_647;
const LOOK_INTERVAL_MS = 100;
/** A session that waits for a table lock blocks all later sessions: so the wait is short and repeated. */
const LOCK_TIMEOUT_MS = 2_000;
const LOCK_PAUSE_MS = 1_000;
const LOCK_WAIT_MS_MAX = 600_000;

/** Directives that a file may contain, as a comment `-- migration: …` on a separate line. */
const EXPANDS = 'expands';
const OUTSIDE = 'outside a transaction';

/** The database and this version's migrations do not belong together; nothing was changed. */
export class MigrationError extends Error {
  override name = 'MigrationError';
}

interface Migration {
  number: number;
  name: string;
  sql: string;
  sha256: string;
  /** It only adds: the previous version continues to run, and can start again. */
  expands: boolean;
  /** Runs each statement separately, and all of them again if one fails: `create index concurrently`. */
  isOutsideTransaction: boolean;
}

export type AppliedMigration = Pick<Migration, 'number' | 'name' | 'sha256' | 'expands'>;

export interface MigrateOptions extends ProgressOptions {
  /** How long a migration tries, for two seconds each time, to lock tables in use, also after deadlocks. Default: ten minutes. */
  lockWaitMsMax?: number;
}

/**
 * Runs the migrations that the database lacks, in order; answers their names. Each is a transaction, unless its file
 * says otherwise; none waits for a lock so long that others wait behind it. Safe to run from several processes at once.
 * A database of a newer version is taken as it is where all that is newer only adds (`-- migration: expands`).
 * @throws MigrationError if an applied file was changed, the database is from a newer version, or what is to be
 *   changed stays locked
 */
export async function migrate(
  pool: pg.Pool,
  folder: URL = migrationsUrl,
  { lockWaitMsMax = LOCK_WAIT_MS_MAX, ...progress }: MigrateOptions = {},
): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const client = await pool.connect();
  try {
    await run(client, `set statement_timeout = ${STATEMENT_TIMEOUT_MS}`);
    await whileReporting(
      progress,
      (minutes) => `waiting for another process that migrates the database, for ${minutes} min`,
      takeTurn(client),
    );
    const missing = missingOf(migrations, await readApplied(client));
    if (missing.length > 0) await makeTable(client);
    const { rows } = await client.query('select pg_backend_pid() as pid');
    for (const migration of missing) {
      await whileReporting(
        progress,
        async (minutes) =>
          `migrations/${migration.name} has been running for ${minutes} min${await describeActivity(pool, rows[0].pid)}`,
        apply(client, migration, lockWaitMsMax),
      );
    }
    return missing.map(({ name }) => name);
  } finally {
    // Destroyed, not reused: lock and settings end with the session.
    client.release(true);
  }
}

/** Polls for the lock: a waiting statement would hold a snapshot, and building an index waits for all snapshots. */
async function takeTurn(client: pg.PoolClient): Promise<void> {
  const deadline = performance.now() + STATEMENT_TIMEOUT_MS;
  for (;;) {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as is_ours', [MIGRATION_LOCK]);
    if (rows[0].is_ours) return;
    if (performance.now() > deadline)
      throw new MigrationError('another process has been migrating the database for an hour');
    await setTimeout(LOOK_INTERVAL_MS);
  }
}

async function readMigrations(folder: URL): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name, index) => {
      const number = Number(/^(\d{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1]);
      if (number !== index + 1) {
        throw new MigrationError(
          `migrations/${name} is out of place: ${String(index + 1).padStart(4, '0')}_name.sql is next`,
        );
      }
      const sql = await readFile(new URL(name, folder), 'utf8');
      const sha256 = createHash('sha256').update(sql).digest('hex');
      return { number, name, sql, sha256, ...directivesOf(name, sql) };
    }),
  );
}

/** Lines `-- migration: …` of a file. @throws MigrationError on one that is not known */
function directivesOf(name: string, sql: string): Pick<Migration, 'expands' | 'isOutsideTransaction'> {
  const found = [...sql.matchAll(/^-- migration: (.*)$/gm)].map(([, directive]) => directive!);
  const unknown = found.find((directive) => directive !== EXPANDS && directive !== OUTSIDE);
  if (unknown !== undefined)
    throw new MigrationError(`migrations/${name} contains the unknown directive "${unknown}"`);
  return { expands: found.includes(EXPANDS), isOutsideTransaction: found.includes(OUTSIDE) };
}

/**
 * Lets no migration begin until the transaction ends. Does not wait, as `takeTurn`.
 * @throws an error of PostgreSQL (55P03) if the database is being migrated
 */
export async function holdMigrations(client: Pick<pg.Pool, 'query'>): Promise<void> {
  await client.query(
    `do $$ begin
       if not pg_try_advisory_xact_lock(${MIGRATION_LOCK}) then
         raise lock_not_available using message = 'the database is being migrated';
       end if;
     end $$`,
  );
}

/**
 * Ensures that a database has the tables and columns of this version, and no others: a copy of them is then complete.
 * @throws MigrationError if it lacks a migration, or a newer version migrated it, also if that only added
 */
export async function assertTablesOfThisVersion(client: Pick<pg.Pool, 'query'>): Promise<void> {
  const [migrations, applied] = [await readMigrations(migrationsUrl), await readApplied(client)];
  const newest = newerThan(migrations, applied).at(-1);
  if (newest) {
    throw new MigrationError(
      `the database was migrated by a newer version (${newest.name}): use the command line of that version`,
    );
  }
  const missing = migrations[applied.length];
  if (missing) {
    throw new MigrationError(
      `the database lacks migrations/${missing.name}: start the service or run posture migrate, or use the command line of its version`,
    );
  }
}

/**
 * The migrations of a database in their order; none if it was never migrated. A program that has nothing to migrate
 * needs no right but to read.
 */
export async function readApplied(client: Pick<pg.Pool, 'query'>): Promise<AppliedMigration[]> {
  const { rows: tables } = await client.query("select to_regclass('migrations') is not null as is_there");
  if (!tables[0].is_there) return [];
  // Up to version 0.1.0 there was no column `expands`.
  const { rows } = await client.query(
    `select number, name, sha256, coalesce((to_jsonb(m) ->> 'expands')::boolean, false) as expands
       from migrations m order by number`,
  );
  return rows;
}

const makeTable = (client: pg.PoolClient) =>
  run(
    client,
    `create table if not exists migrations (
       number     integer     primary key,
       name       text        not null,
       sha256     text        not null,
       applied_at timestamptz not null default now()
     );
     alter table migrations add column if not exists expands boolean not null default false`,
  );

/** Applied migrations that this version lacks. */
const newerThan = (migrations: Migration[], applied: AppliedMigration[]): AppliedMigration[] =>
  applied.filter(({ number }) => number > migrations.length);

function missingOf(migrations: Migration[], applied: AppliedMigration[]): Migration[] {
  const newer = newerThan(migrations, applied);
  const known = applied.slice(0, applied.length - newer.length);
  if (newer.some(({ expands }) => !expands)) {
    throw new MigrationError(
      `the database was migrated by a newer version (${newer.at(-1)!.name}): start that version or a later one`,
    );
  }
  for (const { number, name, sha256 } of known) {
    if (migrations[number - 1]!.sha256 !== sha256) {
      throw new MigrationError(
        `migrations/${name} was changed after it was applied to this database: restore the file and add a new one`,
      );
    }
  }
  return migrations.slice(known.length);
}

async function apply(client: pg.PoolClient, migration: Migration, lockWaitMsMax: number): Promise<void> {
  try {
    if (migration.isOutsideTransaction) await applyStatements(client, migration, lockWaitMsMax);
    else await applyWhole(client, migration, lockWaitMsMax);
  } catch (error) {
    throw new MigrationError(`migrations/${migration.name} failed: ${sentenceOf(error as Error)}`, {
      cause: error,
    });
  }
}

async function applyWhole(client: pg.PoolClient, migration: Migration, lockWaitMsMax: number): Promise<void> {
  const deadline = performance.now() + lockWaitMsMax;
  for (;;) {
    await run(client, 'begin');
    try {
      await run(client, `set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
      await run(client, migration.sql);
      await note(client, migration);
      await run(client, 'commit');
      return;
    } catch (error) {
      if (!isLockConflict(error) || performance.now() > deadline) throw error;
      await run(client, 'rollback');
      await setTimeout(LOCK_PAUSE_MS);
    }
  }
}

/** Interrupted anywhere, all of them run again at the next start: each must bear that. */
async function applyStatements(
  client: pg.PoolClient,
  migration: Migration,
  lockWaitMsMax: number,
): Promise<void> {
  for (const statement of statementsOf(migration.sql)) {
    // One that is `concurrently` waits for the transactions of others without blocking any.
    if (/\bconcurrently\b/i.test(statement)) await runStatement(client, statement);
    else await runPatiently(client, statement, lockWaitMsMax);
  }
  await note(client, migration);
}

/** Statements end with a semicolon at the end of a line, outside the body of a function or block (`$$`). */
function statementsOf(sql: string): string[] {
  const statements = [''];
  for (const line of sql.split('\n')) {
    if (line.startsWith('--')) continue;
    statements.push(`${statements.pop()}${line}\n`);
    const isInBody = statements.at(-1)!.split('$$').length % 2 === 0;
    if (!isInBody && /;[ \t]*$/.test(line)) statements.push('');
  }
  return statements.filter((statement) => statement.trim() !== '');
}

/** Retries a statement that waits too long for a lock: see `LOCK_TIMEOUT_MS`. */
async function runPatiently(client: pg.PoolClient, statement: string, lockWaitMsMax: number): Promise<void> {
  const deadline = performance.now() + lockWaitMsMax;
  await run(client, `set lock_timeout = ${LOCK_TIMEOUT_MS}`);
  for (;;) {
    try {
      await runStatement(client, statement);
      break;
    } catch (error) {
      if (!isLockConflict(error) || performance.now() > deadline) throw error;
      await setTimeout(LOCK_PAUSE_MS);
    }
  }
  await run(client, 'reset lock_timeout');
}

/**
 * The larger the table, the longer takes the build of an index `concurrently`, or a block that commits its steps: neither
 * blocks others, and an end by a timeout would begin it again at each start.
 */
async function runStatement(client: pg.PoolClient, statement: string): Promise<void> {
  if (!/\b(concurrently|commit)\b/i.test(statement)) return run(client, statement);
  await run(client, 'set statement_timeout = 0');
  await run(client, statement, NO_TIMEOUT_MS);
  await run(client, `set statement_timeout = ${STATEMENT_TIMEOUT_MS}`);
}

const note = (client: pg.PoolClient, { number, name, sha256, expands }: Migration) =>
  client.query('insert into migrations (number, name, sha256, expands) values ($1, $2, $3, $4)', [
    number,
    name,
    sha256,
    expands,
  ]);

const sentenceOf = (error: Error): string =>
  isLockConflict(error)
    ? 'its tables stayed locked: end the long transactions of the database, then start again'
    : error.message;

async function run(client: pg.PoolClient, text: string, timeoutMs = STATEMENT_TIMEOUT_MS): Promise<void> {
  await client.query(answeredWithin(timeoutMs, text));
}
