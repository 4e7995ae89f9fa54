import { HttpException } from '@nestjs/common';
import type { ThrottleReason } from '#libs/telemetry';

/** 429: the body's `message` is the number of seconds to wait and nothing else (D19). */
export class RetryLaterException extends HttpException {
  /** @param reason what held the request back, for the metrics alone */
  constructor(
    seconds: number,
    readonly reason: ThrottleReason,
  ) {
    super({ message: String(seconds), retryIn: seconds }, 429);
  }
}

/** 503 with the seconds after which to try again. */
export class UnavailableException extends HttpException {
  constructor(message: string, retryIn = 5) {
    super({ message, retryIn }, 503);
  }
}
