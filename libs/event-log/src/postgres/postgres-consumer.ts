import type { BatchBounds } from '../delivery/batch-bounds.ts';
import { GroupConsumer, type GroupConsumerOptions } from '../delivery/group-consumer.ts';
import type { StoredRecord } from '../event-log.ts';
import { GroupSession } from './group-session.ts';
import { PartitionReader } from './partition-reader.ts';

/** How long a partition that another member left may be idle, and an append without a notification wait. */
const TICK_MS = 500;
/** A server that ended the session needs a moment. */
const REJOIN_DELAY_MS = 100;

export interface PostgresConsumerOptions extends GroupConsumerOptions {
  url: string;
  read(partition: number, from: number, bounds: BatchBounds): Promise<StoredRecord[]>;
}

/**
 * Follows a topic as a member of a group. Members share evenly: each takes free partitions up to its share and gives
 * back those above it. A lost session is a lost membership: everything is revoked, and the group joined again.
 */
export class PostgresConsumer extends GroupConsumer<PostgresConsumerOptions> {
  private readonly readers = new Map<number, PartitionReader>();
  /** Partitions to release as soon as their current batch is done, and those to release now. */
  private readonly leaving = new Set<number>();
  private readonly vacated = new Set<number>();
  private balancedAt = Number.NEGATIVE_INFINITY;

  /** Resolves when the group is joined, before anything is assigned. */
  static async join(options: PostgresConsumerOptions): Promise<PostgresConsumer> {
    const consumer = new PostgresConsumer(options);
    consumer.stopped = consumer.run(await consumer.joinGroup());
    return consumer;
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
      session = await this.rejoin(() => this.joinGroup(), REJOIN_DELAY_MS);
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
      this.logTrouble('left', error);
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
    const reader = new PartitionReader((from, bounds) => this.options.read(partition, from, bounds));
    this.readers.set(partition, reader);
    this.deliver(partition, reader);
  }

  private async vacate(partition: number): Promise<void> {
    this.leaving.add(partition);
    await this.deliveries.get(partition)!.stop();
    this.leaving.delete(partition);
    this.deliveries.delete(partition);
    this.readers.delete(partition);
    this.vacated.add(partition);
    this.balancedAt = Number.NEGATIVE_INFINITY;
    this.news.ring();
  }

  private async revokeAll(): Promise<void> {
    await this.stopDeliveries();
    this.deliveries.clear();
    this.readers.clear();
    this.leaving.clear();
    this.vacated.clear();
    this.balancedAt = Number.NEGATIVE_INFINITY;
  }
}
