import { isLockTimeout } from '#libs/database';
import { FOLDED_TABLES } from './folded-tables.ts';
import type { Queryable } from './queryable.ts';

/** Below PostgreSQL's `deadlock_timeout` of 1 s: whoever locks gives way before a reader is made to. */
const ATTEMPT_MS = 500;

/**
 * Takes the folded tables from all readers until the transaction ends. A reader takes several of them, in an order of
 * its own: so all are taken or, where that takes too long, none, and then anew.
 * @param connection in a transaction
 * @throws an error of PostgreSQL (55P03) where they were in use for longer than `inAllMs`
 */
export async function lockLiveTables(connection: Queryable, inAllMs: number): Promise<void> {
  const tables = FOLDED_TABLES.map(({ name }) => `public.${name}`).join(', ');
  const deadline = performance.now() + inAllMs;
  await connection.query(`set local lock_timeout = ${ATTEMPT_MS}`);
  for (;;) {
    await connection.query('savepoint unlocked');
    try {
      await connection.query(`lock table ${tables} in access exclusive mode`);
      return;
    } catch (error) {
      if (!isLockTimeout(error) || performance.now() > deadline) throw error;
      await connection.query('rollback to savepoint unlocked');
    }
  }
}
