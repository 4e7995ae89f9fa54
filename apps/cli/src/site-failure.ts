import { BackupBusyError, BackupError } from '#libs/backup';
import { ClockError } from '#libs/clock';
import { UnknownSchemaError } from '#libs/contracts';
import { isConnectionError, isLockConflict, MigrationError } from '#libs/database';
import { UnknownRulesError } from '#libs/domain';
import { isFullDisk, StorageError } from '#libs/durable-file';
import { LogDamagedError, LogUnavailableError, RecordsGoneError, TopicsError } from '#libs/event-log';
import { LogHoleError, UnknownRecordError } from '#libs/fold';
import { LogMismatchError } from '#libs/intake';
import { KeyWrapperError } from '#libs/key-wrapping';
import { FileError, LogContentError, LogNotEmptyError, MisplacedRecordError } from '#libs/log-archive';
import {
  ArchiveBusyError,
  CheckpointError,
  FoldedSinceError,
  MigratedSinceError,
  ShadowBusyError,
  ShadowCheckError,
} from '#libs/replay';
import { CliError, failure, usageError } from './cli-error.ts';

type Kind = new (...given: never[]) => Error;

/** Errors of the call, a file or the log. */
const WRONG: Kind[] = [
  LogHoleError,
  LogDamagedError,
  RecordsGoneError,
  UnknownRecordError,
  UnknownSchemaError,
  UnknownRulesError,
  FileError,
  StorageError,
  CheckpointError,
  BackupError,
];
/** Errors of an unavailable, busy or currently broken part. */
const REFUSED: Kind[] = [
  ClockError,
  LogUnavailableError,
  TopicsError,
  MigrationError,
  MigratedSinceError,
  FoldedSinceError,
  LogMismatchError,
  ShadowBusyError,
  ShadowCheckError,
  ArchiveBusyError,
  BackupBusyError,
  KeyWrapperError,
];

/**
 * A failure of a site, its log or a file, as shown to the user: exit 2 if that is invalid, 1 if something is
 * unavailable or rejects the request. Any other error is a bug, and is unchanged.
 * @param subject subject of the sentence that a `LogContentError` ends, such as a file's name
 */
export function siteFailure(error: Error, subject = 'the log'): CliError | Error {
  if (error instanceof CliError) return error;
  if (error instanceof LogContentError) return usageError(`${subject} ${error.message}`);
  if (error instanceof LogNotEmptyError) {
    return usageError(error.message, ['nothing was imported: use a site whose log is empty']);
  }
  if (error instanceof MisplacedRecordError) {
    return failure(error.message, ['stop all programs of this site, empty its log, and import again']);
  }
  const disk = fullDisk(error);
  if (disk !== null) return failure(`${disk} is full: free space, then run the same command again`);
  if (isAny(error, WRONG)) return usageError(error.message);
  if (isAny(error, REFUSED)) return failure(error.message);
  const { code, path } = error as NodeJS.ErrnoException;
  if (REFUSALS.test(code ?? '') || error.message === NO_TLS) {
    return failure(`the database refused the connection or the command: ${error.message}`);
  }
  if (isConnectionError(error)) return failure('the database is unreachable');
  if (isLockConflict(error)) {
    return failure('the tables were in use for too long; nothing was changed: try again');
  }
  if (path !== undefined && code !== undefined) return usageError(`cannot read or write ${path} (${code})`);
  if (code === 'EISDIR') return usageError(`${subject} is a directory`);
  return error;
}

function fullDisk(error: NodeJS.ErrnoException): string | null {
  if (error.code === DISK_FULL) return 'the disk of PostgreSQL';
  if (!isFullDisk(error)) return null;
  return error.path === undefined ? 'a disk' : `the disk of ${error.path}`;
}

/** SQLSTATE `disk_full`. */
const DISK_FULL = '53100';
/** SQLSTATEs of a wrong user or password, a database that does not exist, and a role without the right. */
const REFUSALS = /^(28...|3D...|42501)$/;
/** What pg itself throws has no code. */
const NO_TLS = 'The server does not support SSL connections';

const isAny = (error: Error, kinds: Kind[]): boolean => kinds.some((kind) => error instanceof kind);
