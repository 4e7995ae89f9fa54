import { isConnectionError } from './connection-error.ts';

/**
 * SQLSTATE classes and codes of transient errors of a reachable database: 53 insufficient resources (disk, memory), 57
 * operator intervention, or a statement waited too long for a lock, 58 system error of the server; 25006 a standby that
 * is about to take over, 40001, 40P01 and 55P03 conflicts with other transactions.
 */
const SQLSTATES = /^(53...|57...|58...|25006|40001|40P01|55P03)$/;

/** Whether an error says that the same may succeed later, without anybody mending a program or the data. */
export function isTransientError(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return isConnectionError(error) || (typeof code === 'string' && SQLSTATES.test(code));
}
