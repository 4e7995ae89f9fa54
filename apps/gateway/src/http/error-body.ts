import { STATUS_CODES } from 'node:http';
import { HttpException } from '@nestjs/common';
import { ClockError } from '#libs/clock';
import { isStatementTimeout, isTransientError } from '#libs/database';
import { LogUnavailableError } from '#libs/event-log';
import { SubjectKeyError } from '#libs/sealing';
import { KeysUnavailableError } from '#libs/subject-keys';
import { UnavailableException } from './http-errors.ts';

const TOO_MUCH_ASKED =
  'the database query took more than a minute: request less data, for example with a filter, or retry later';

/** The answer to every failed request; it may have further fields, such as `errors` and `mayHaveTakenEffect`. */
export interface ErrorBody {
  statusCode: number;
  /** The status in words. */
  error: string;
  /** Always one string. */
  message: string;
  /** Seconds after which to try again; also in `Retry-After`. */
  retryIn?: number;
}

/**
 * The response to any error. For an internal error, it contains only the request id: the error's text may contain data
 * that a caller must not see.
 */
export function errorBodyOf(error: unknown, requestId: string): ErrorBody {
  if (error instanceof HttpException) return ofHttpException(error);
  if (error instanceof LogUnavailableError) {
    return ofHttpException(
      new UnavailableException('the event log is unavailable: the request was not acknowledged. Retry later'),
    );
  }
  if (error instanceof SubjectKeyError) {
    return ofHttpException(
      new UnavailableException(
        'a key of personal texts is damaged or missing: no data was stored. The log of the gateway names the subject',
      ),
    );
  }
  if (error instanceof KeysUnavailableError) {
    return ofHttpException(
      new UnavailableException('the keys of personal texts are unavailable: no data was stored. Retry later'),
    );
  }
  if (error instanceof ClockError) {
    return ofHttpException(new UnavailableException(`no data was stored: ${error.message}`));
  }
  // Transient, too, but with an advice of its own.
  if (isStatementTimeout(error)) return ofHttpException(new UnavailableException(TOO_MUCH_ASKED, 60));
  if (isTransientError(error)) {
    return ofHttpException(
      new UnavailableException('the database is unavailable or overloaded: retry later'),
    );
  }
  const status = (error as { statusCode?: unknown } | null)?.statusCode;
  if (error instanceof Error && typeof status === 'number' && status >= 400 && status < 500) {
    return { statusCode: status, error: words(status), message: error.message };
  }
  return { statusCode: 500, error: words(500), message: `internal error (request ${requestId})` };
}

function ofHttpException(exception: HttpException): ErrorBody {
  const status = exception.getStatus();
  const response = exception.getResponse();
  const { message, ...more } =
    typeof response === 'string' ? { message: response } : (response as { message?: unknown });
  return { ...more, statusCode: status, error: words(status), message: oneString(message ?? words(status)) };
}

const words = (status: number): string => STATUS_CODES[status] ?? 'Error';

const oneString = (message: unknown): string =>
  Array.isArray(message) ? message.map(oneString).join('; ') : String(message);
