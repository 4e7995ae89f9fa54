import { BeforeLogError } from '#libs/replay';
import { usageError } from '../cli-error.ts';
import { siteFailure } from '../site-failure.ts';

/**
 * What went wrong where a log was folded up to an instant, as the user is told it: exit 2 where log, file or instant
 * are not what they must be, 1 where something is out of reach. Any other error is a bug, and stays what it is.
 * @param subject what the error is about: a file's name, or `the log`
 */
export function knownFailure(subject: string, error: unknown): unknown {
  if (error instanceof BeforeLogError) return usageError(`nothing was known then: ${error.message}`);
  return siteFailure(error as Error, subject);
}
