import { isLockConflict } from '#libs/database';
import { FOLDED_TABLES } from '#libs/tables';
import type { Queryable } from './queryable.ts';

/** For all tables: below PostgreSQL's `deadlock_timeout` of 1 s: the locker gives way before a reader has to. */
const ATTEMPT_MS = 500;

/**
 * Locks the folded tables against all readers until the transaction ends. Readers lock several of them in different
 * orders: so all are locked or, if that takes too long, none, and then it is retried.
 * @param connection in a transaction
 * @throws an error of PostgreSQL (55P03) if they were in use for longer than `inAllMs`
 */
export async function lockLiveTables(connection: Queryable, inAllMs: number): Promise<void> {
  const deadline = performance.now() + inAllMs;
  for (;;) {
    await connection.query('savepoint unlocked');
    try {
      await attempt(connection);
      return;
    } catch (error) {
      if (!isLockConflict(error) || performance.now() > deadline) throw error;
      await connection.query('rollback to savepoint unlocked');
    }
  }
}

/** `lock_timeout` is for each lock: it is set to the rest of the time. */
async function attempt(connection: Queryable): Promise<void> {
  const deadline = performance.now() + ATTEMPT_MS;
  for (const { name } of FOLDED_TABLES) {
    const restMs = Math.max(1, Math.ceil(deadline - performance.now()));
    await connection.query(
      `set local lock_timeout = ${restMs}; lock table public.${name} in access exclusive mode`,
    );
  }
  await connection.query(`set local lock_timeout = ${ATTEMPT_MS}`);
}
