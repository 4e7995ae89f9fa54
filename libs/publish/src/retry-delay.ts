const DELAY_MIN_MS = 100;
const DELAY_MAX_MS = 10_000;

/**
 * How long an output waits after failures in a row: 100 ms at first, then twice as long each time, 10 s at most. It
 * outlives the publishers of the output, which end and begin with every attempt of a fold that fails.
 */
export class RetryDelay {
  static readonly MAX_MS = DELAY_MAX_MS;
  private delayMs = DELAY_MIN_MS;
  private retryAt = 0;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Whether the last attempt failed. */
  get isFailing(): boolean {
    return this.delayMs > DELAY_MIN_MS;
  }

  /** Until the next attempt is due, in ms. */
  get remainingMs(): number {
    return Math.max(0, this.retryAt - this.now());
  }

  failed(): void {
    this.retryAt = this.now() + this.delayMs;
    this.delayMs = Math.min(2 * this.delayMs, DELAY_MAX_MS);
  }

  succeeded(): void {
    this.delayMs = DELAY_MIN_MS;
    this.retryAt = 0;
  }
}
