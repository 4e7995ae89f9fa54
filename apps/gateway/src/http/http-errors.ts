import { BadRequestException, ConflictException, HttpException } from '@nestjs/common';
import type { ThrottleReason } from '#libs/telemetry';

/** 429: the body's `message` is the number of seconds to wait and nothing else (R-LIM-4). */
export class RetryLaterException extends HttpException {
  /** @param reason why the request was delayed, only for the metrics */
  constructor(
    readonly seconds: number,
    readonly reason: ThrottleReason,
  ) {
    super({ message: String(seconds), retryIn: seconds }, 429);
  }
}

/** 400: a signal, a ZIP or a report is not valid, whatever the form of its request. */
export class UploadContentException extends BadRequestException {}

/** 409: another user has changed the object since the caller read it. Other conflicts have no `reason`. */
export class StaleException extends ConflictException {
  constructor(message: string) {
    super({ message, reason: 'stale' });
  }
}

/** 503 with the seconds after which to try again. */
export class UnavailableException extends HttpException {
  constructor(message: string, retryIn = 5) {
    super({ message, retryIn }, 503);
  }
}
