import { setTimeout as pause } from 'node:timers/promises';
import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import type { Database } from '../database.ts';
import { newPool } from '../pool.ts';
import { preparingPool } from '../preparing-pool.ts';
import type { Schema } from '../schema.ts';
import { readingClient } from './reading-client.ts';
import { sharedNext } from './shared-next.ts';
import { replayedPosition, type WalPosition, writtenPosition } from './wal-position.ts';

/** A read waits this long for its replica, then the primary answers. */
const WAIT_MS_MAX = 1_000;
const PAUSE_MS_MAX = 20;
/** A replica that cannot be used is tried again after it. */
const RETRY_MS = 5_000;
/** An address that does not answer delays a read by no more. */
const CONNECT_TIMEOUT_MS = 2_000;

/** `in-use`; `behind`: longer than a read waits; `away`: cannot be reached, or is no replica of the primary. */
export type ReplicaState = 'in-use' | 'behind' | 'away';

export interface ReadReplicaOptions {
  /** Connections at most; 20 if left out. */
  max?: number;
  /** Called at each change of the state, with the cause of `away`. */
  onState: (state: ReplicaState, cause?: unknown) => void;
  /** Called for each statement, with the server that answers it. */
  onRead: (server: 'replica' | 'primary') => void;
}

/**
 * A database for reading: each statement runs on a replica (a hot standby) that shows at least what the primary showed
 * when the statement was asked for. The read waits for that for up to a second. If the replica is still behind, is away,
 * or cancels the statement, the primary answers. The URL can be an address of several replicas: the position is that of
 * the connection in use. Statements that write fail; transactions are those of the isolation `read committed`.
 */
export function openReadReplica(
  url: string,
  primary: Pick<Database, 'pool'>,
  { max = 20, onState, onRead }: ReadReplicaOptions,
): Pick<Database, 'db' | 'close'> {
  const pool = newPool(url, { max, connectTimeoutMs: CONNECT_TIMEOUT_MS, isStandbyEnough: true });
  const onPrimary = preparingPool(primary.pool);
  const written = sharedNext(() => writtenPosition(primary.pool));
  const replayed = new WeakMap<pg.PoolClient, WalPosition>();
  let state: ReplicaState = 'in-use';
  let retryAt = 0;

  const become = (next: ReplicaState, cause?: unknown) => {
    if (next === 'away') retryAt = performance.now() + RETRY_MS;
    if (next === state) return;
    state = next;
    onState(next, cause);
  };

  /** While the replica is known to be behind, a read looks once and does not wait. */
  const hasReached = async (client: pg.PoolClient, wanted: WalPosition): Promise<boolean> => {
    const deadline = performance.now() + (state === 'behind' ? 0 : WAIT_MS_MAX);
    for (let pauseMs = 1; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MS_MAX)) {
      const known = replayed.get(client);
      if (known?.history === wanted.history && known.position >= wanted.position) return true;
      const position = await replayedPosition(client);
      if (position === null) throw new Error('the server of DATABASE_READ_URL is not a replica');
      replayed.set(client, position);
      if (position.history !== wanted.history)
        throw new Error('the server of DATABASE_READ_URL is not a replica of that of DATABASE_URL');
      if (position.position >= wanted.position) return true;
      if (performance.now() >= deadline) return false;
      await pause(pauseMs);
    }
  };

  /** A connection to a replica that has reached what the primary shows now; null if there is none. */
  const currentReplica = async (): Promise<pg.PoolClient | null> => {
    if (state === 'away' && performance.now() < retryAt) return null;
    const wanted = await written();
    // Waiting for one would delay the read, and its timeout would be taken for an absent replica. An idle connection that
    // a read has just asked for counts as idle until the next tick, and the read as waiting.
    if (pool.waitingCount >= pool.idleCount + max - pool.totalCount) return null;
    let client: pg.PoolClient | undefined;
    try {
      client = await pool.connect();
      const isCurrent = await hasReached(client, wanted);
      become(isCurrent ? 'in-use' : 'behind');
      if (isCurrent) return client;
      client.release();
    } catch (cause) {
      client?.release(true);
      become('away', cause);
    }
    return null;
  };

  const connect = async (): Promise<PostgresPoolClient> => {
    const client = await currentReplica();
    if (client) return readingClient(client, onPrimary, onRead);
    onRead('primary');
    return onPrimary.connect();
  };
  return {
    db: new Kysely<Schema>({ dialect: new PostgresDialect({ pool: { connect, end: () => pool.end() } }) }),
    close: () => pool.end(),
  };
}
