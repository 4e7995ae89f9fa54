import { isTransientError } from '#libs/database';
import { LogUnavailableError } from '../event-log.ts';

/** The error for a caller of the log: a retryable one, or the fault unchanged. */
export const asLogError = (error: unknown): unknown =>
  isTransientError(error)
    ? new LogUnavailableError(`the log in PostgreSQL is not available: ${(error as Error).message}`, {
        cause: error,
      })
    : error;
