import { BeforeLogError } from '#libs/replay';
import { usageError } from '../cli-error.ts';
import { siteFailure } from '../site-failure.ts';

/**
 * A failure of a fold up to an instant, as shown to the user: exit 2 if log, file or instant are invalid, 1 if
 * something is unreachable. Any other error is a bug, and is unchanged.
 * @param subject the subject of the error: a file's name, or `the log`
 */
export function knownFailure(subject: string, error: unknown): unknown {
  if (error instanceof BeforeLogError) return usageError(error.message);
  return siteFailure(error as Error, subject);
}
