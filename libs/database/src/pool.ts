import { readFileSync } from 'node:fs';
import pg from 'pg';
import { parse } from 'pg-connection-string';
import { readSecretFile } from '#libs/config';
import { PrimaryClient } from './primary-client.ts';
import { readInstant } from './read-instant.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 60_000;
/** Above the server's own bound: the client abandons only a dead connection. */
const CLIENT_TIMEOUT_MARGIN_MS = 5_000;

const { INT8, NUMERIC, TIMESTAMPTZ } = pg.types.builtins;

/** int8 and numeric as numbers (values stay below 2^53), timestamptz as epoch milliseconds. */
const parsers = new Map<number, (text: string) => number>([
  [INT8, toSafeInteger],
  [NUMERIC, Number],
  [TIMESTAMPTZ, readInstant],
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
 * A server that is lost while it works on a statement is missed within 15 seconds, because a statement may take hours.
 * Node sends ten probes, one a second. A statement that was still under way to it waits for its own timeout.
 */
const KEEP_ALIVE_DELAY_MS = 5_000;

/**
 * The server misses an idle client whose machine has no power or network within 11 seconds, and not after the two hours
 * of TCP: locks of its session are free then. Without `tcp_user_timeout`, which ends a session whose client pauses a
 * large answer.
 */
const MISSED_SOON = '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3';

/**
 * How every connection of the project is made.
 * @throws ConfigError if the file of its password cannot be read, Error for one of its certificates
 */
export function connectionSettings(url: string): pg.PoolConfig {
  const { options = '', ...address } = addressOf(url);
  return {
    types,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS + CLIENT_TIMEOUT_MARGIN_MS,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    application_name: 'posture',
    // Its parameters override those above and in `MISSED_SOON`.
    ...address,
    options: `${MISSED_SOON} ${options}`,
  };
}

/** The files that a URL can name, by their fields in the options of TLS. */
const TLS_FILES = { ca: 'sslrootcert', cert: 'sslcert', key: 'sslkey' } as const;

type Address = Omit<pg.PoolConfig, 'ssl'> &
  Partial<Record<'passwordFile' | (typeof TLS_FILES)[keyof typeof TLS_FILES], string>> & {
    ssl?: boolean | object;
  };

/** A URL of `readConfig`: the files that it names are read for each connection, because they are renewed. */
function addressOf(url: string): pg.PoolConfig {
  const { passwordFile, ...address } = parse(url) as Address;
  if (typeof address.ssl === 'object') {
    for (const [field, parameter] of Object.entries(TLS_FILES)) {
      const file = address[parameter];
      if (file === undefined) continue;
      const get = latest(() => readFileSync(file, 'utf8'));
      Object.defineProperty(address.ssl, field, { get, enumerable: true, configurable: true });
    }
  }
  if (passwordFile === undefined) return address;
  return { ...address, password: latest(() => readSecretFile('DATABASE_PASSWORD', passwordFile)) };
}

/**
 * Reads at each call, and returns the last text while the file cannot be read or is empty, because it is being replaced.
 * If the server requires the new one already, the connection fails, and is tried again.
 * @throws what `read` throws at first
 */
function latest(read: () => string): () => string {
  let last = read();
  return () => {
    try {
      last = read() || last;
    } catch {
      // Documented above.
    }
    return last;
  };
}

export interface PoolOptions {
  /** Connections at most; 10 if left out. */
  max?: number;
  /** Called when an idle connection was lost; the pool replaces it. */
  onConnectionLost?: (error: Error) => void;
  /** Server settings of every session, such as `synchronous_commit`; they override those in the `options` of the URL. */
  sessionSettings?: Record<string, string>;
  /** Milliseconds until a connection attempt, or waiting for a free connection, fails; 10,000 if left out. */
  connectTimeoutMs?: number;
  /** Milliseconds until a statement without an answer fails and its connection is closed; 65,000 if left out. */
  answerTimeoutMs?: number;
  /** Whether connections to a standby are made, for reading. Default: they fail as if the server were not there. */
  isStandbyEnough?: boolean;
}

/** No connection is made before the first statement. */
export function newPool(
  url: string,
  {
    max = 10,
    onConnectionLost,
    sessionSettings = {},
    connectTimeoutMs = CONNECT_TIMEOUT_MS,
    answerTimeoutMs = STATEMENT_TIMEOUT_MS + CLIENT_TIMEOUT_MARGIN_MS,
    isStandbyEnough = false,
  }: PoolOptions,
): pg.Pool {
  const settings = connectionSettings(url);
  const flags = Object.entries(sessionSettings).map(([name, value]) => `-c ${name}=${value}`);
  const pool = new pg.Pool({
    ...settings,
    Client: isStandbyEnough ? pg.Client : PrimaryClient,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: answerTimeoutMs,
    max,
    options: [settings.options, ...flags].join(' '),
  });
  // Without these listeners the loss of a connection would end the process, if it is idle or in use between two
  // statements. In use, the next statement fails anyway.
  pool.on('error', (error) => onConnectionLost?.(error));
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
