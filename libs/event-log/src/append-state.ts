import { LogBusyError, LogUnavailableError } from './event-log.ts';

/**
 * Whether the appends of a process fail: a log may answer every question while it stores nothing, as on a full disk.
 * An overloaded log that refuses is at work.
 */
export class AppendState {
  private failure: LogUnavailableError | null = null;
  private failedAt = 0;

  /** @param onChange called with the first failure in a row, and with null when an append succeeds again */
  constructor(
    private readonly onChange: (failure: Error | null) => void = () => {},
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** The failure of the last append, if it failed. */
  get lastFailure(): LogUnavailableError | null {
    return this.failure;
  }

  /** Since the last failure, in ms. */
  get failedAgoMs(): number {
    return this.now() - this.failedAt;
  }

  /** Remembers the outcome of an append, and passes it on. */
  async watch<T>(append: Promise<T>): Promise<T> {
    try {
      const result = await append;
      this.succeeded();
      return result;
    } catch (error) {
      if (error instanceof LogUnavailableError && !(error instanceof LogBusyError)) this.failed(error);
      throw error;
    }
  }

  succeeded(): void {
    if (this.failure === null) return;
    this.failure = null;
    this.onChange(null);
  }

  private failed(error: LogUnavailableError): void {
    const isFirst = this.failure === null;
    this.failure = error;
    this.failedAt = this.now();
    if (isFirst) this.onChange(error);
  }
}
