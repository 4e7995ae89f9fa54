const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK_DETECTED = '40P01';

/**
 * Whether a statement was cancelled because of other sessions' locks: it waited too long (`lock_timeout`), or waited for
 * a session that waited for it, because a running program locks the same tables in another order.
 */
export const isLockConflict = (error: unknown): boolean =>
  [LOCK_NOT_AVAILABLE, DEADLOCK_DETECTED].includes((error as { code?: string }).code ?? '');
