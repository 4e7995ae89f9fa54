const LOCK_NOT_AVAILABLE = '55P03';

/** Whether a statement was given up because others held for too long what it had to lock (`lock_timeout`). */
export const isLockTimeout = (error: unknown): boolean =>
  (error as { code?: unknown }).code === LOCK_NOT_AVAILABLE;
