import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';

const migrationsUrl = new URL(
  import.meta.url.includes('/dist/') ? '../../../../migrations/' : '../../../migrations/',
  import.meta.url,
);

/** Any number that nothing else locks: concurrent starts migrate one after the other. */
const MIGRATION_LOCK = 7_265_110_001;
/** A migration may rewrite a table. */
const STATEMENT_TIMEOUT_MS = 3_600_000;

/** The database and this version's migrations do not belong together; nothing was changed. */
export class MigrationError extends Error {
  override name = 'MigrationError';
}

interface Migration {
  number: number;
  name: string;
  sql: string;
  sha256: string;
}

interface AppliedMigration {
  number: number;
  name: string;
  sha256: string;
}

/**
 * Runs the migrations that the database lacks, in order, each in a transaction of its own; answers their names.
 * Safe to run from several processes at once.
 * @throws MigrationError where an applied file was changed, or the database is from a newer version
 */
export async function migrate(pool: pg.Pool, folder: URL = migrationsUrl): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const client = await pool.connect();
  try {
    await run(client, `set statement_timeout = ${STATEMENT_TIMEOUT_MS}`);
    await run(client, `select pg_advisory_lock(${MIGRATION_LOCK})`);
    const missing = missingOf(migrations, await readApplied(client));
    for (const migration of missing) await apply(client, migration);
    return missing.map(({ name }) => name);
  } finally {
    // Destroyed, not reused: lock and settings end with the session.
    client.release(true);
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
      return { number, name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

async function readApplied(client: pg.PoolClient): Promise<AppliedMigration[]> {
  await run(
    client,
    `create table if not exists migrations (
       number     integer     primary key,
       name       text        not null,
       sha256     text        not null,
       applied_at timestamptz not null default now()
     )`,
  );
  const { rows } = await client.query('select number, name, sha256 from migrations order by number');
  return rows;
}

function missingOf(migrations: Migration[], applied: AppliedMigration[]): Migration[] {
  const newest = applied.at(-1);
  if (newest && newest.number > migrations.length) {
    throw new MigrationError(
      `the database was migrated by a newer version (${newest.name}): start that version or a later one`,
    );
  }
  for (const { number, name, sha256 } of applied) {
    if (migrations[number - 1]!.sha256 !== sha256) {
      throw new MigrationError(
        `migrations/${name} was changed after it was applied to this database: restore the file and add a new one`,
      );
    }
  }
  return migrations.slice(applied.length);
}

async function apply(client: pg.PoolClient, { number, name, sql, sha256 }: Migration): Promise<void> {
  await run(client, 'begin');
  try {
    await run(client, sql);
    await client.query('insert into migrations (number, name, sha256) values ($1, $2, $3)', [
      number,
      name,
      sha256,
    ]);
    await run(client, 'commit');
  } catch (error) {
    throw new MigrationError(`migrations/${name} failed: ${(error as Error).message}`, { cause: error });
  }
}

const run = (client: pg.PoolClient, text: string) =>
  client.query({ text, query_timeout: STATEMENT_TIMEOUT_MS } as pg.QueryConfig);
