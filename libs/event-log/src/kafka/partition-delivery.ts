import type { LimitFunction } from 'p-limit';
import type { BatchHandler } from '../event-log.ts';
import type { PartitionFeed } from './partition-feed.ts';
import type { BatchBounds } from './take-batch.ts';

export interface PartitionDeliveryOptions {
  feed: PartitionFeed;
  handler: BatchHandler;
  bounds: BatchBounds;
  /** Bounds the batches in hand over all partitions of a consumer. */
  slots: LimitFunction;
  onFailed(error: Error): void;
}

/** Brings the records of one partition to the handler, strictly one batch after the other, until stopped or failed. */
export class PartitionDelivery {
  private isStopping = false;
  private done: number | undefined;
  private readonly finished: Promise<void>;
  private stopped: Promise<void> | undefined;

  constructor(private readonly options: PartitionDeliveryOptions) {
    this.finished = this.run();
  }

  /** The offset after the last batch that the handler was done with; none before the first. */
  get position(): number | undefined {
    return this.done;
  }

  /** Waits for the batch at hand, then tells the handler that the partition is revoked; once, however often called. */
  stop(): Promise<void> {
    this.isStopping = true;
    this.options.feed.close();
    this.stopped ??= this.revoke();
    return this.stopped;
  }

  private async revoke(): Promise<void> {
    await this.finished;
    const { handler, feed, onFailed } = this.options;
    try {
      await handler.revoked(feed.partition);
    } catch (error) {
      onFailed(error as Error);
    }
  }

  private async run(): Promise<void> {
    const { feed, handler, onFailed } = this.options;
    try {
      feed.seek(await handler.assigned(feed.partition));
      while (!this.isStopping) await this.deliverNext();
    } catch (error) {
      // Nothing more is read of it; what was read is let go.
      feed.close();
      onFailed(error as Error);
    }
  }

  private async deliverNext(): Promise<void> {
    const { feed, handler, bounds, slots } = this.options;
    const records = await feed.take(bounds);
    if (records.length === 0) return;
    await slots(async () => {
      if (this.isStopping) return;
      const next = await handler.batch(records);
      this.done = next;
      if (next !== records.at(-1)!.offset + 1) feed.seek(next);
    });
  }
}
