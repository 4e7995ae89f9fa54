import { isConnectionError, MigrationError } from '#libs/database';
import { LogUnavailableError, RecordsGoneError, TopicsError } from '#libs/event-log';
import { LogContentError, LogNotEmptyError, MisplacedRecordError } from '#libs/log-archive';
import { CliError, failure, usageError } from '../cli-error.ts';

/**
 * What went wrong with a log, or a file of one, as the user is told it: exit 2 where that is not what it must be, 1
 * where something is away or refuses. Any other error is a bug, and stays what it is.
 * @param subject what a `LogContentError` goes on about, such as a file's name
 */
export function logFailure(subject: string, error: unknown): unknown {
  if (error instanceof CliError) return error;
  if (error instanceof LogContentError) return usageError(`${subject} ${error.message}`);
  if (error instanceof LogNotEmptyError) {
    return usageError(error.message, ['nothing was appended: import into a site whose log is empty']);
  }
  if (error instanceof MisplacedRecordError) {
    return failure(error.message, ['stop every program of this site, empty its log, and import again']);
  }
  if (error instanceof RecordsGoneError) return usageError(`${subject} has a hole: ${error.message}`);
  if (error instanceof LogUnavailableError || error instanceof TopicsError || error instanceof MigrationError)
    return failure(error.message);
  if (isConnectionError(error)) return failure('the database is out of reach');
  const { code, path } = error as NodeJS.ErrnoException;
  if (path !== undefined && code !== undefined) return usageError(`cannot read or write ${path} (${code})`);
  if (code === 'EISDIR') return usageError(`${subject} is a directory`);
  return error;
}
