import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { parse } from 'pg-connection-string';
import { readSecretFile } from '#libs/config';
import { isConnectionError } from './connection-error.ts';
import type { Schema } from './schema.ts';

/** Injection token of the `Kysely<Schema>` of a process. */
export const DATABASE = Symbol('DATABASE');
/** Injection token of its `pg.Pool`, for a connection that is kept. */
export const DATABASE_POOL = Symbol('DATABASE_POOL');
export type DatabasePool = pg.Pool;
export type DatabaseConnection = pg.PoolClient;

const CONNECT_TIMEOUT_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 60_000;
/** Above the server's own bound: the client abandons only a dead connection. */
const CLIENT_TIMEOUT_MARGIN_MS = 5_000;

const { INT8, NUMERIC, TIMESTAMPTZ } = pg.types.builtins;
const parseInstant = pg.types.getTypeParser(TIMESTAMPTZ);

/** int8 and numeric as numbers (values stay below 2^53), timestamptz as epoch milliseconds. */
const parsers = new Map<number, (text: string) => number>([
  [INT8, toSafeInteger],
  [NUMERIC, Number],
  [TIMESTAMPTZ, (text) => Number(parseInstant(text))],
]);

const types: pg.CustomTypesConfig = {
  getTypeParser: ((id: number, format: 'text' | 'binary') =>
    (format !== 'binary' && parsers.get(id)) ||
    pg.types.getTypeParser(id, format as 'text')) as typeof pg.types.getTypeParser,
};

function toSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`a whole number beyond 2^53 was read: ${text}`);
  return value;
}

/**
 * How every connection of the project is made.
 * @throws ConfigError if the file of its password cannot be read
 */
export const connectionSettings = (url: string): pg.PoolConfig => ({
  types,
  connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  statement_timeout: STATEMENT_TIMEOUT_MS,
  query_timeout: STATEMENT_TIMEOUT_MS + CLIENT_TIMEOUT_MARGIN_MS,
  idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
  keepAlive: true,
  application_name: 'posture',
  // Its parameters override those above.
  ...addressOf(url),
});

/** A URL of `readConfig`: the file that its `passwordFile` names is read for each connection. */
function addressOf(url: string): pg.PoolConfig {
  if (!/[?&]passwordFile=/.test(url)) return { connectionString: url };
  const { passwordFile, ...address } = parse(url) as pg.PoolConfig & { passwordFile?: string };
  const read = () => readSecretFile('DATABASE_PASSWORD', passwordFile!);
  let last = read();
  const password = () => {
    try {
      last = read();
    } catch {
      // A file that is being replaced: if the password is another already, the connection fails, and is tried again.
    }
    return last;
  };
  return { ...address, password };
}

export interface DatabaseOptions {
  /** Connections at most. */
  max?: number;
  /** Called when an idle connection was lost; the pool replaces it. */
  onConnectionLost?: (error: Error) => void;
  /** Server settings of every session, such as `synchronous_commit`. */
  sessionSettings?: Record<string, string>;
}

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
export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const { max = 10, onConnectionLost, sessionSettings = {} } = options;
  const flags = Object.entries(sessionSettings).map(([name, value]) => `-c ${name}=${value}`);
  const pool = new pg.Pool({ ...connectionSettings(url), max, options: flags.join(' ') });
  // Without these listeners the loss of a connection would end the process, if it is idle or in use between two
  // statements. In use, the next statement fails anyway.
  pool.on('error', (error) => onConnectionLost?.(error));
  pool.on('connect', (client) => client.on('error', () => undefined));
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: preparing(pool) }) });
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

/** For statements that are long and always the same: PostgreSQL need not parse and plan them each time. */
const NAMED = /^\s*\/\* (\w+) \*\//;

/** The pool as Kysely takes it, which itself has no names for statements. */
const preparing = (pool: pg.Pool): PostgresPool => ({
  connect: async () => preparingClient(await pool.connect()),
  end: () => pool.end(),
});

function preparingClient(client: pg.PoolClient): PostgresPoolClient {
  // One that was given up may have an answer in progress, and a transaction open: it must not be reused.
  let loss: unknown;
  const query = async (text: string, values: unknown[]) => {
    // Such as a rollback, which would wait for the answer too.
    if (loss) throw loss;
    const name = NAMED.exec(text)?.[1];
    try {
      return await client.query(name === undefined ? { text, values } : { name, text, values });
    } catch (error) {
      if (isConnectionError(error)) loss = error;
      throw error;
    }
  };
  // The other overload of `query` is for cursors, which are never opened through Kysely.
  return {
    query: query as unknown as PostgresPoolClient['query'],
    release: () => client.release(Boolean(loss)),
  };
}
