import pLimit from 'p-limit';
import { backOffMs } from '#libs/back-off';
import type { BatchHandler, ConsumeOptions, Consumer } from '../event-log.ts';
import { DEFAULT_BOUNDS } from './batch-bounds.ts';
import { PartitionDelivery, type PartitionSource } from './partition-delivery.ts';
import { WakeUp } from './wake-up.ts';

/** Concurrent batches over all partitions: limits memory. */
const BATCHES_AT_ONCE = 4;
const REJOIN_BACK_OFF = { firstMs: 100, longestMs: 5_000 };

export interface GroupConsumerOptions extends ConsumeOptions {
  topic: string;
  group: string;
  partitions: number;
  handler: BatchHandler;
  /** Called when the membership was lost, joining again failed, or the topic cannot be read for a while. */
  onTrouble(error: Error): void;
}

/** Delivers the partitions of this member of a group; an adapter joins the group and starts its partitions. */
export abstract class GroupConsumer<Options extends GroupConsumerOptions> implements Consumer {
  protected readonly deliveries = new Map<number, PartitionDelivery>();
  protected readonly news = new WakeUp();
  protected isStopping = false;
  private readonly slots = pLimit(BATCHES_AT_ONCE);
  /** Resolves when it has stopped. */
  stopped: Promise<void> = Promise.resolve();

  protected constructor(protected readonly options: Options) {}

  get assignment(): readonly number[] {
    return [...this.deliveries.keys()].sort((a, b) => a - b);
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    this.news.ring();
    await this.stopped;
  }

  protected deliver(partition: number, source: PartitionSource): void {
    const { handler, batchRecordsMax, batchBytesMax, onPartitionFailed } = this.options;
    const delivery = new PartitionDelivery({
      partition,
      source,
      handler,
      bounds: {
        recordsMax: batchRecordsMax ?? DEFAULT_BOUNDS.recordsMax,
        bytesMax: batchBytesMax ?? DEFAULT_BOUNDS.bytesMax,
      },
      slots: this.slots,
      onFailed: (error) => onPartitionFailed?.(partition, error),
    });
    this.deliveries.set(partition, delivery);
  }

  /** Waits for the current batches, then notifies the handler that the partitions are revoked. */
  protected async stopDeliveries(): Promise<void> {
    await Promise.all([...this.deliveries.values()].map((delivery) => delivery.stop()));
  }

  /** Joins again, with a longer delay after each failure; undefined if it is stopped. */
  protected async rejoin<T>(join: () => Promise<T>, firstDelayMs: number): Promise<T | undefined> {
    for (let failures = 0; ; failures++) {
      const delayMs = failures === 0 ? firstDelayMs : backOffMs(failures, REJOIN_BACK_OFF, 1);
      await this.pause(delayMs);
      if (this.isStopping) return undefined;
      try {
        return await join();
      } catch (error) {
        this.logTrouble('could not be joined', error);
      }
    }
  }

  /** Until it is stopped at most. A ring is no reason to try earlier: the end of a session is one. */
  private async pause(ms: number): Promise<void> {
    const end = performance.now() + ms;
    for (let left = ms; left > 0 && !this.isStopping; left = end - performance.now())
      await this.news.wait(left);
  }

  protected logTrouble(what: string, error: unknown): void {
    const { topic, group, onTrouble } = this.options;
    onTrouble(new Error(`group ${group} of ${topic} ${what}: ${(error as Error).message}`, { cause: error }));
  }
}
