import type { LimitFunction } from 'p-limit';
import { AboveEndError, type BatchHandler, RecordsGoneError, type StoredRecord } from '../event-log.ts';
import type { BatchBounds } from './batch-bounds.ts';

/** Reads the records of one partition from a log. */
export interface PartitionSource {
  /** Continues reading from there. */
  seek(offset: number): void;
  /** Resolves when there is something to take, or the source is closed. */
  ready(): Promise<void>;
  /**
   * The next records within the bounds; none when the source is closed.
   * @throws RecordsGoneError if they were removed, AboveEndError if the log ends before them; a seek ends this
   */
  take(bounds: BatchBounds): Promise<StoredRecord[]>;
  close(): void;
}

export interface PartitionDeliveryOptions {
  partition: number;
  source: PartitionSource;
  handler: BatchHandler;
  bounds: BatchBounds;
  /** Limits the concurrent batches over all partitions of a consumer. */
  slots: LimitFunction;
  onFailed(error: Error): void;
}

/** Delivers the records of one partition to the handler, strictly one batch after the other, until stopped or failed. */
export class PartitionDelivery {
  private isStopping = false;
  private start: number | undefined;
  private done: number | undefined;
  private readonly finished: Promise<void>;
  private stopped: Promise<void> | undefined;

  constructor(private readonly options: PartitionDeliveryOptions) {
    this.finished = this.run();
  }

  /** The offset after the last batch that the handler has finished, or where it has started; undefined before that. */
  get position(): number | undefined {
    return this.done ?? this.start;
  }

  /** Waits for the current batch, then notifies the handler that the partition is revoked; only once. */
  stop(): Promise<void> {
    this.isStopping = true;
    this.options.source.close();
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
    const { partition, source, handler, slots, onFailed } = this.options;
    try {
      this.start = await handler.assigned(partition);
      source.seek(this.start);
      while (!this.isStopping) {
        await source.ready();
        // Reading is part of the slot: batches that wait for one are not in memory.
        if (!this.isStopping) await slots(() => this.deliverNext());
      }
    } catch (error) {
      // Stops reading, and releases the records already read.
      source.close();
      onFailed(error as Error);
    }
  }

  private async deliverNext(): Promise<void> {
    const { source, handler } = this.options;
    const records = await this.take();
    if (this.isStopping || records.length === 0) return;
    const next = await handler.batch(records);
    this.done = next;
    if (next !== records.at(-1)!.offset + 1) source.seek(next);
  }

  private async take(): Promise<StoredRecord[]> {
    const { source, bounds } = this.options;
    try {
      return await source.take(bounds);
    } catch (error) {
      const isGap = error instanceof RecordsGoneError || error instanceof AboveEndError;
      if (!isGap || this.isStopping) throw error;
      await this.passGap(error);
      return [];
    }
  }

  /** Only the handler knows where to continue. If it needs what is gone, the partition stops. */
  private async passGap(gap: RecordsGoneError | AboveEndError): Promise<void> {
    const { partition, source, handler } = this.options;
    await handler.revoked(partition);
    const next = await handler.assigned(partition);
    if (next === this.position && gap instanceof RecordsGoneError) throw gap;
    this.done = next;
    source.seek(next);
  }
}
