import { isConnectionError } from './connection-error.ts';

/**
 * SQLSTATE classes and codes of what ends by itself though the database answers: 53 no room (disk, memory), 57 somebody
 * stepped in, or a statement took too long behind a lock, 58 the server's own system; 25006 a standby that is about to
 * take over, 40001, 40P01 and 55P03 others were in the way.
 */
const SQLSTATES = /^(53...|57...|58...|25006|40001|40P01|55P03)$/;

/** Whether an error says that the same may succeed later, without anybody mending a program or the data. */
export function isPassingError(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return isConnectionError(error) || (typeof code === 'string' && SQLSTATES.test(code));
}
