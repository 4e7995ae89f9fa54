import { UnknownSchemaError } from '#libs/contracts';
import { isConnectionError } from '#libs/database';
import { LogUnavailableError, RecordsGoneError } from '#libs/event-log';
import { LogHoleError } from '#libs/projection';
import { ShadowBusyError, ShadowCheckError } from '#libs/replay';
import { type CliError, failure, usageError } from './cli-error.ts';

/** What a site's own errors are to the user: exit 2 where the log cannot be folded, 1 where something is away or busy. */
export function siteFailure(error: Error): CliError | Error {
  if (isAny(error, LogHoleError, RecordsGoneError, UnknownSchemaError)) return usageError(error.message);
  if (isAny(error, LogUnavailableError, ShadowBusyError, ShadowCheckError)) return failure(error.message);
  if (isConnectionError(error)) return failure('the database is out of reach');
  if ((error as { code?: string }).code === LOCK_NOT_AVAILABLE) {
    return failure('the tables were in use for too long: nothing was changed, try again');
  }
  return error;
}

const LOCK_NOT_AVAILABLE = '55P03';

const isAny = (error: Error, ...kinds: (new (...given: never[]) => Error)[]): boolean =>
  kinds.some((kind) => error instanceof kind);
