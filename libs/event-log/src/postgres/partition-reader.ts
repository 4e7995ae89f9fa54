import type { LimitFunction } from 'p-limit';
import { type BatchHandler, RecordsGoneError, type StoredRecord } from '../event-log.ts';
import { isUnavailable } from './log-error.ts';
import { WakeUp } from './wake-up.ts';

/** How often an unreachable database is tried again. */
const RETRY_INTERVAL_MS = 250;

export interface PartitionReaderOptions {
  partition: number;
  handler: BatchHandler;
  /** Reads the next records from an offset on; empty where there are none. */
  read(from: number): Promise<StoredRecord[]>;
  /** Bounds the batches in hand over all partitions of a consumer. */
  slots: LimitFunction;
  onFailed(error: Error): void;
}

/** Delivers the records of one partition, strictly one batch after the other, until it is stopped or fails. */
export class PartitionReader {
  private readonly news = new WakeUp();
  private knownEnd = 0;
  private isStopping = false;
  private readonly finished: Promise<void>;
  private stopped: Promise<void> | undefined;

  constructor(private readonly options: PartitionReaderOptions) {
    this.finished = this.run();
  }

  /** Tells how far the partition reaches. */
  setEnd(end: number): void {
    if (end === this.knownEnd) return;
    this.knownEnd = end;
    this.news.ring();
  }

  /** Waits for the batch at hand, then tells the handler that the partition is revoked; once, however often called. */
  stop(): Promise<void> {
    this.isStopping = true;
    this.news.ring();
    this.stopped ??= this.revoke();
    return this.stopped;
  }

  private async revoke(): Promise<void> {
    await this.finished;
    const { handler, partition, onFailed } = this.options;
    try {
      await handler.revoked(partition);
    } catch (error) {
      onFailed(error as Error);
    }
  }

  private async run(): Promise<void> {
    const { handler, partition, slots, onFailed } = this.options;
    try {
      let next = await handler.assigned(partition);
      while (!this.isStopping) {
        if (next < this.knownEnd) next = await slots(() => this.deliver(next));
        else await this.news.wait();
      }
    } catch (error) {
      onFailed(error as Error);
    }
  }

  /** Answers where to read next. */
  private async deliver(from: number): Promise<number> {
    const records = await this.readPatiently(from);
    if (this.isStopping) return from;
    if (records.length === 0) {
      throw new RecordsGoneError(
        `records are missing from the log: it ends at ${this.knownEnd}, and none lies from ${from} on`,
      );
    }
    return this.options.handler.batch(records);
  }

  /** A database that is away is no failure of the handler's: it is waited for. */
  private async readPatiently(from: number): Promise<StoredRecord[]> {
    while (!this.isStopping) {
      try {
        return await this.options.read(from);
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        await this.news.wait(RETRY_INTERVAL_MS);
      }
    }
    return [];
  }
}
