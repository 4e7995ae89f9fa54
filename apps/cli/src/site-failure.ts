import { BackupBusyError, BackupError } from '#libs/backup';
import { ClockError } from '#libs/clock';
import { UnknownSchemaError } from '#libs/contracts';
import { isConnectionError, isLockTimeout, MigrationError } from '#libs/database';
import { UnknownRulesError } from '#libs/domain';
import { LogUnavailableError, RecordsGoneError, TopicsError } from '#libs/event-log';
import { LogMismatchError } from '#libs/intake';
import { FileError, LogContentError, LogNotEmptyError, MisplacedRecordError } from '#libs/log-archive';
import { LogHoleError } from '#libs/projection';
import { ArchiveBusyError, CheckpointError, ShadowBusyError, ShadowCheckError } from '#libs/replay';
import { CliError, failure, usageError } from './cli-error.ts';

type Kind = new (...given: never[]) => Error;

/** What the call, a file or the log is not as it must be. */
const WRONG: Kind[] = [
  LogHoleError,
  RecordsGoneError,
  UnknownSchemaError,
  UnknownRulesError,
  FileError,
  CheckpointError,
  BackupError,
];
/** What is away, busy or not in order now. */
const REFUSED: Kind[] = [
  ClockError,
  LogUnavailableError,
  TopicsError,
  MigrationError,
  LogMismatchError,
  ShadowBusyError,
  ShadowCheckError,
  ArchiveBusyError,
  BackupBusyError,
];

/**
 * What went wrong with a site, its log or a file, as the user is told it: exit 2 where that is not what it must be, 1
 * where something is away or refuses. Any other error is a bug, and stays what it is.
 * @param subject what a `LogContentError` goes on about, such as a file's name
 */
export function siteFailure(error: Error, subject = 'the log'): CliError | Error {
  if (error instanceof CliError) return error;
  if (error instanceof LogContentError) return usageError(`${subject} ${error.message}`);
  if (error instanceof LogNotEmptyError) {
    return usageError(error.message, ['nothing was appended: import into a site whose log is empty']);
  }
  if (error instanceof MisplacedRecordError) {
    return failure(error.message, ['stop every program of this site, empty its log, and import again']);
  }
  if (isAny(error, WRONG)) return usageError(error.message);
  if (isAny(error, REFUSED)) return failure(error.message);
  if (isConnectionError(error)) return failure('the database is out of reach');
  const { code, path } = error as NodeJS.ErrnoException;
  if (isLockTimeout(error)) {
    return failure('the tables were in use for too long: nothing was changed, try again');
  }
  if (path !== undefined && code !== undefined) return usageError(`cannot read or write ${path} (${code})`);
  if (code === 'EISDIR') return usageError(`${subject} is a directory`);
  return error;
}

const isAny = (error: Error, kinds: Kind[]): boolean => kinds.some((kind) => error instanceof kind);
