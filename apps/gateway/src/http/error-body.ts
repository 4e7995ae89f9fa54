import { STATUS_CODES } from 'node:http';
import { HttpException } from '@nestjs/common';
import { ClockError } from '#libs/clock';
import { isConnectionError, isStatementTimeout } from '#libs/database';
import { LogUnavailableError } from '#libs/event-log';
import { UnavailableException } from './http-errors.ts';

const TOO_MUCH_ASKED =
  'the database needs more than a minute for what is asked, or has too much to do: ask for less, as with a filter';

/** What every failed request is answered with (D26); further fields, such as `errors`, may stand beside. */
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
 * The answer to an error of any kind. A fault of the service itself is told by the request id alone: its text may
 * hold what a caller must not see.
 */
export function errorBodyOf(error: unknown, requestId: string): ErrorBody {
  if (error instanceof HttpException) return ofHttpException(error);
  if (error instanceof LogUnavailableError) {
    return ofHttpException(
      new UnavailableException(
        'the event log takes nothing at the moment: nothing was acknowledged, try again',
      ),
    );
  }
  if (error instanceof ClockError) {
    return ofHttpException(new UnavailableException(`nothing was stored: ${error.message}`));
  }
  if (isConnectionError(error)) {
    return ofHttpException(new UnavailableException('the database is away or overloaded: try again'));
  }
  if (isStatementTimeout(error)) return ofHttpException(new UnavailableException(TOO_MUCH_ASKED, 60));
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
