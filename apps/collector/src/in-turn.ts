import { setTimeout } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '#libs/database';

const RETRY_INTERVAL_MS = 2_000;

export interface Turn {
  db: Kysely<Schema>;
  /** Of PostgreSQL's advisory locks. */
  lock: number;
  /** Ends it. */
  signal: AbortSignal;
  /** Told why the work cannot be done for now: once, until it has been done again. */
  onFailure(error: Error): void;
}

/**
 * Has one process at a time do some work: the one that holds the lock; the others stand by. What fails is tried again.
 * @param work on the connection of the lock, which lives as long as that: where it is lost, another process may work
 */
export async function inTurn(
  { db, lock, signal, onFailure }: Turn,
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

/** Answers false where another process holds it. */
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

/** Resolves after a while, or with the signal. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  setTimeout(ms, undefined, { signal }).catch(() => undefined);
