import pLimit from 'p-limit';
import type { BatchHandler, ConsumeOptions, Consumer, StoredRecord } from '../event-log.ts';
import { GroupSession } from './group-session.ts';
import { PartitionReader } from './partition-reader.ts';
import { type BatchBounds, DEFAULT_BOUNDS } from './read-records.ts';
import { WakeUp } from './wake-up.ts';

/** How long a partition that another member left may lie idle, and an append that was not heard of wait. */
const TICK_MS = 500;
const REJOIN_DELAY_MIN_MS = 100;
const REJOIN_DELAY_MAX_MS = 5_000;
/** Batches in hand at once, over all partitions: bounds memory. */
const BATCHES_AT_ONCE = 4;

export interface PostgresConsumerOptions extends ConsumeOptions {
  url: string;
  topic: string;
  group: string;
  partitions: number;
  handler: BatchHandler;
  read(partition: number, from: number, bounds: BatchBounds): Promise<StoredRecord[]>;
  /** Told when the membership was lost, or could not be had anew. */
  onTrouble(error: Error): void;
}

/**
 * Follows a topic as a member of a group. Members share evenly: each takes free partitions up to its share and gives
 * back those above it. A lost session is a lost membership: everything is revoked, and the group joined anew.
 */
export class PostgresConsumer implements Consumer {
  private readonly readers = new Map<number, PartitionReader>();
  /** Partitions that are given back as soon as their batch at hand is done, and those whose lock can go now. */
  private readonly leaving = new Set<number>();
  private readonly vacated = new Set<number>();
  private readonly slots = pLimit(BATCHES_AT_ONCE);
  private readonly news = new WakeUp();
  private isStopping = false;
  private balancedAt = Number.NEGATIVE_INFINITY;
  private running: Promise<void> | undefined;

  private constructor(private readonly options: PostgresConsumerOptions) {}

  /** Resolves when the group is joined, before anything is assigned. */
  static async join(options: PostgresConsumerOptions): Promise<PostgresConsumer> {
    const consumer = new PostgresConsumer(options);
    consumer.running = consumer.run(await consumer.joinGroup());
    return consumer;
  }

  get assignment(): readonly number[] {
    return [...this.readers.keys()].sort((a, b) => a - b);
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    this.news.ring();
    await this.running;
  }

  private joinGroup(): Promise<GroupSession> {
    const { url, topic, group } = this.options;
    return GroupSession.join(url, topic, group, () => this.news.ring());
  }

  private async run(first: GroupSession): Promise<void> {
    let session: GroupSession | undefined = first;
    while (session) {
      await this.follow(session);
      await this.revokeAll();
      await session.leave();
      session = await this.rejoin();
    }
  }

  /** Until stopped, or the session is lost; one that does not answer is given up like a lost one. */
  private async follow(session: GroupSession): Promise<void> {
    try {
      while (!this.isStopping && !session.isLost) {
        if (performance.now() - this.balancedAt >= TICK_MS) await this.balance(session);
        const ends = await session.ends();
        for (const [partition, reader] of this.readers) reader.setEnd(ends.get(partition) ?? 0);
        await this.news.wait(TICK_MS);
      }
      if (session.isLost) throw new Error('its connection was lost');
    } catch (error) {
      this.tellTrouble('left', error);
    }
  }

  private async balance(session: GroupSession): Promise<void> {
    this.balancedAt = performance.now();
    for (const partition of this.vacated) await session.release(partition);
    this.vacated.clear();
    const share = await session.shareOf(this.options.partitions);
    const staying = this.assignment.filter((partition) => !this.leaving.has(partition));
    for (const partition of staying.slice(share)) void this.vacate(partition);
    const missing = share - this.readers.size;
    if (missing > 0)
      for (const partition of await session.hold(this.unheld(), missing)) this.start(partition);
  }

  private unheld(): number[] {
    const all = Array.from({ length: this.options.partitions }, (_, partition) => partition);
    return all.filter((partition) => !this.readers.has(partition));
  }

  private start(partition: number): void {
    const { handler, read, batchRecordsMax, batchBytesMax, onPartitionFailed } = this.options;
    const bounds = {
      recordsMax: batchRecordsMax ?? DEFAULT_BOUNDS.recordsMax,
      bytesMax: batchBytesMax ?? DEFAULT_BOUNDS.bytesMax,
    };
    const reader = new PartitionReader({
      partition,
      handler,
      read: (from) => read(partition, from, bounds),
      slots: this.slots,
      onFailed: (error) => onPartitionFailed?.(partition, error),
    });
    this.readers.set(partition, reader);
  }

  private async vacate(partition: number): Promise<void> {
    this.leaving.add(partition);
    await this.readers.get(partition)!.stop();
    this.leaving.delete(partition);
    this.readers.delete(partition);
    this.vacated.add(partition);
    this.balancedAt = Number.NEGATIVE_INFINITY;
    this.news.ring();
  }

  private async revokeAll(): Promise<void> {
    await Promise.all([...this.readers.values()].map((reader) => reader.stop()));
    this.readers.clear();
    this.leaving.clear();
    this.vacated.clear();
    this.balancedAt = Number.NEGATIVE_INFINITY;
  }

  private async rejoin(): Promise<GroupSession | undefined> {
    for (let delayMs = REJOIN_DELAY_MIN_MS; ; delayMs = Math.min(2 * delayMs, REJOIN_DELAY_MAX_MS)) {
      if (!this.isStopping) await this.news.wait(delayMs);
      if (this.isStopping) return undefined;
      try {
        return await this.joinGroup();
      } catch (error) {
        this.tellTrouble('could not be joined', error);
      }
    }
  }

  private tellTrouble(what: string, error: unknown): void {
    const { topic, group, onTrouble } = this.options;
    onTrouble(new Error(`group ${group} of ${topic} ${what}: ${(error as Error).message}`, { cause: error }));
  }
}
