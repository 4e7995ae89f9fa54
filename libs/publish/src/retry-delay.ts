import { backOffMs } from '#libs/back-off';

const BACK_OFF = { firstMs: 100, longestMs: 10_000 };

/**
 * How long an output waits after failures in a row: 100 ms at first, then twice as long each time, 10 s at most. It
 * outlives the publishers of the output, which end and begin with every attempt of a fold that fails.
 */
export class RetryDelay {
  static readonly MAX_MS = BACK_OFF.longestMs;
  private failures = 0;
  private retryAt = 0;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Whether the last attempt failed. */
  get isFailing(): boolean {
    return this.failures > 0;
  }

  /** Until the next attempt is due, in ms. */
  get remainingMs(): number {
    return Math.max(0, this.retryAt - this.now());
  }

  failed(): void {
    this.failures += 1;
    this.retryAt = this.now() + backOffMs(this.failures, BACK_OFF, 1);
  }

  succeeded(): void {
    this.failures = 0;
    this.retryAt = 0;
  }
}
