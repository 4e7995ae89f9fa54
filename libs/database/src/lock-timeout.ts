const LOCK_NOT_AVAILABLE = '55P03';

/** Whether a statement was cancelled because it waited too long for a lock (`lock_timeout`). */
export const isLockTimeout = (error: unknown): boolean =>
  (error as { code?: unknown }).code === LOCK_NOT_AVAILABLE;
