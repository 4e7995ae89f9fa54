import { isConnectionError } from '#libs/database';
import { LogUnavailableError } from '../event-log.ts';

/** SQLSTATE classes that say "not now": insufficient resources (a full disk), operator intervention, system error. */
const UNAVAILABLE_CLASSES = /^(53|57|58)...$/;

/** Whether PostgreSQL says that the same may succeed later. */
export const isUnavailable = (error: unknown): boolean => {
  const { code } = (error ?? {}) as { code?: unknown };
  return isConnectionError(error) || (typeof code === 'string' && UNAVAILABLE_CLASSES.test(code));
};

/** The error for a caller of the log: a retryable one, or the fault unchanged. */
export const asLogError = (error: unknown): unknown =>
  isUnavailable(error)
    ? new LogUnavailableError(`the log in PostgreSQL is not available: ${(error as Error).message}`, {
        cause: error,
      })
    : error;
