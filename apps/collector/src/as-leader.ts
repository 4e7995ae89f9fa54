import { setTimeout } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '#libs/database';

const RETRY_INTERVAL_MS = 2_000;

export interface Leadership {
  db: Kysely<Schema>;
  /** Key of a PostgreSQL advisory lock. */
  lock: number;
  /** Ends the loop. */
  signal: AbortSignal;
  /** Called once per outage, with the reason. */
  onFailure(error: Error): void;
}

/**
 * Runs work in one process at a time, the one with the lock. The other processes wait. Failed work is retried.
 * @param work uses the connection that has the lock. If this connection is lost, another process may become the leader.
 */
export async function asLeader(
  { db, lock, signal, onFailure }: Leadership,
  work: (held: Kysely<Schema>) => Promise<void>,
): Promise<void> {
  let hasFailed = false;
  while (!signal.aborted) {
    try {
      if (await whileHolding(db, lock, work)) hasFailed = false;
    } catch (error) {
      if (!hasFailed) onFailure(error as Error);
      hasFailed = true;
    }
    await pause(RETRY_INTERVAL_MS, signal);
  }
}

/** Returns false if another process holds it. */
const whileHolding = (
  db: Kysely<Schema>,
  lock: number,
  work: (held: Kysely<Schema>) => Promise<void>,
): Promise<boolean> =>
  db.connection().execute(async (held) => {
    const { rows } = await sql<{ is_ours: boolean }>`
      select pg_try_advisory_lock(${lock}) as is_ours`.execute(held);
    if (!rows[0]!.is_ours) return false;
    try {
      await work(held);
    } finally {
      await sql`select pg_advisory_unlock(${lock})`.execute(held).catch(() => undefined);
    }
    return true;
  });

/** Resolves after `ms`, or when the signal is aborted. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  setTimeout(ms, undefined, { signal }).catch(() => undefined);
