import { isTransientError, messageOf } from '#libs/database';
import { LogUnavailableError } from '../event-log.ts';

/** The error for a caller of the log: a retryable one, or the fault unchanged. */
export const asLogError = (error: unknown): unknown =>
  isTransientError(error)
    ? new LogUnavailableError(`the log in PostgreSQL is not available: ${messageOf(error as Error)}`, {
        cause: error,
      })
    : error;
