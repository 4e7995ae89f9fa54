import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type Database, openDatabase } from '#libs/database';
import { createOnCitus, divide, dropOnCitus } from './citus-cluster.ts';
import { citusUrls, SERVER_URL_VARIABLE, TEMPLATE, withDatabase } from './test-server.ts';

export interface TestDatabase extends Pick<Database, 'db' | 'pool'> {
  url: string;
  /**
   * Closes `db` and drops the database.
   * @throws Error if the spec file left its own connections open: fix the leak
   */
  drop(): Promise<void>;
}

/** A closed connection's session ends a moment later if the machine is busy. */
const LEAK_GRACE_MS = 5_000;
const LOOK_INTERVAL_MS = 20;

async function onServer<T>(work: (server: Database) => Promise<T>): Promise<T> {
  const server = openDatabase(serverUrl(), { max: 1 });
  try {
    return await work(server);
  } finally {
    await server.close();
  }
}

function serverUrl(): string {
  const url = process.env[SERVER_URL_VARIABLE];
  if (!url) throw new Error(`${SERVER_URL_VARIABLE} is not set: Jest's globalSetup sets it`);
  return url;
}

/** A migrated database of a spec file's own: make it in `beforeAll`, drop it in `afterAll`. */
export const testDatabase = (): Promise<TestDatabase> => copyOf(TEMPLATE);

/** One without any table, for a program that migrates it. */
export const emptyDatabase = (): Promise<TestDatabase> => copyOf('template0');

/**
 * A copy of a template of this run's own. The first caller of all processes makes it.
 * @param fill receives the address of a migrated database, and leaves no connection to it open
 */
export async function databaseLike(
  template: string,
  fill: (url: string) => Promise<void>,
): Promise<TestDatabase> {
  if (citusUrls()) {
    const database = await testDatabase();
    await fill(database.url);
    return database;
  }
  await onServer(async ({ pool }) => {
    // A connection that is idle in the pool is closed after seconds, and its lock ends.
    const held = await pool.connect();
    try {
      await held.query('select pg_advisory_lock(hashtext($1))', [template]);
      const { rowCount } = await held.query('select from pg_database where datname = $1', [template]);
      if (rowCount) return;
      const partial = await create(TEMPLATE);
      await fill(withDatabase(serverUrl(), partial));
      await held.query(`alter database ${partial} rename to ${template}`);
    } finally {
      held.release(true);
    }
  });
  return copyOf(template);
}

/** Returns its name. */
async function create(template: string): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const urls = citusUrls();
  if (urls) {
    // Its databases cannot be copied.
    const url = await createOnCitus(urls, name);
    if (template === TEMPLATE) await divide(url);
    return name;
  }
  // As files: the other way writes each page to the write-ahead log, which takes six times as long.
  await onServer(({ pool }) => pool.query(`create database ${name} template ${template} strategy file_copy`));
  return name;
}

async function copyOf(template: string): Promise<TestDatabase> {
  const name = await create(template);
  const url = withDatabase(serverUrl(), name);
  const { db, pool, close } = openDatabase(url, { max: 10 });
  return {
    url,
    db,
    pool,
    drop: async () => {
      await close();
      const leaked = await onServer((server) => openConnections(server, name));
      const urls = citusUrls();
      if (urls) await dropOnCitus(urls, name);
      else await onServer((server) => server.pool.query(`drop database ${name} with (force)`));
      if (leaked.length > 0) {
        throw new Error(`${leaked.length} connections were left open: ${leaked.join('; ')}`);
      }
    },
  };
}

/** The last statements of a database's open sessions, after a time for them to end. */
async function openConnections({ pool }: Database, name: string): Promise<string[]> {
  const deadline = performance.now() + LEAK_GRACE_MS;
  for (;;) {
    const { rows } = await pool.query(
      `select application_name || ': ' || query as what from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()
         and backend_type = 'client backend' and application_name not like 'citus%'`,
      [name],
    );
    if (rows.length === 0 || performance.now() > deadline) return rows.map(({ what }) => what);
    await setTimeout(LOOK_INTERVAL_MS);
  }
}
