import type { Kafka } from 'kafkajs';
import pLimit from 'p-limit';
import type { BatchHandler, ConsumeOptions, Consumer, Position } from '../event-log.ts';
import { WakeUp } from '../postgres/wake-up.ts';
import { FetchLoop } from './fetch-loop.ts';
import { GroupMembership, SESSION_MS } from './group-membership.ts';
import { PartitionDelivery } from './partition-delivery.ts';
import { PartitionFeed } from './partition-feed.ts';
import { TopicCluster } from './topic-cluster.ts';

/** Also how long a member takes to hear that another has come or gone. */
const HEARTBEAT_MS = 1_000;
const REJOIN_DELAY_MIN_MS = 100;
const REJOIN_DELAY_MAX_MS = 5_000;
/** Batches in hand at once, over all partitions: bounds memory. */
const BATCHES_AT_ONCE = 4;
const DEFAULT_RECORDS_MAX = 1_000;
const DEFAULT_BYTES_MAX = 4 * 1024 * 1024;

export interface KafkaConsumerOptions extends ConsumeOptions {
  kafka: Kafka;
  topic: string;
  group: string;
  partitions: number;
  handler: BatchHandler;
  /** Told when the membership was lost, or could not be had anew. */
  onTrouble(error: Error): void;
}

/**
 * Follows a topic as a member of a Kafka group. Before it joins anew its partitions are given up: their batches at hand
 * are done and the handler was told. Heartbeats do not wait for handlers, and carry how far these are to Kafka. While the brokers are away it keeps its
 * partitions for as long as they would keep them for it.
 */
export class KafkaConsumer implements Consumer {
  private readonly feeds = new Map<number, PartitionFeed>();
  private readonly deliveries = new Map<number, PartitionDelivery>();
  /** Partition → the offset that Kafka was told last. */
  private readonly committed = new Map<number, number>();
  private readonly slots = pLimit(BATCHES_AT_ONCE);
  private readonly news = new WakeUp();
  private readonly membership: GroupMembership;
  private readonly fetching: FetchLoop;
  private isStopping = false;
  /** Resolves when it has stopped. */
  stopped: Promise<void> = Promise.resolve();

  private constructor(
    private readonly options: KafkaConsumerOptions,
    private readonly cluster: TopicCluster,
  ) {
    const { topic, group, partitions } = options;
    this.membership = new GroupMembership(cluster, group, topic, partitions);
    this.fetching = new FetchLoop(cluster, topic, this.feeds);
  }

  /** Resolves when the group is joined. */
  static async join(options: KafkaConsumerOptions): Promise<KafkaConsumer> {
    const consumer = new KafkaConsumer(options, await TopicCluster.connect(options.kafka, options.group));
    try {
      consumer.stopped = consumer.run(await consumer.membership.join());
      return consumer;
    } catch (error) {
      await consumer.close();
      throw error;
    }
  }

  get assignment(): readonly number[] {
    return [...this.deliveries.keys()].sort((a, b) => a - b);
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    this.news.ring();
    await this.stopped;
  }

  private async run(first: number[]): Promise<void> {
    let assigned: number[] | undefined = first;
    while (assigned) {
      for (const partition of assigned) this.start(partition);
      await this.holdMembership();
      await this.revokeAll();
      assigned = await this.rejoin();
    }
    await this.close();
  }

  private async close(): Promise<void> {
    await this.membership.leave();
    await this.fetching.stop();
    await this.cluster.close();
  }

  private start(partition: number): void {
    const { handler, batchRecordsMax, batchBytesMax, onPartitionFailed } = this.options;
    const feed = new PartitionFeed(partition, () => this.fetching.ring());
    this.feeds.set(partition, feed);
    const delivery = new PartitionDelivery({
      feed,
      handler,
      bounds: {
        recordsMax: batchRecordsMax ?? DEFAULT_RECORDS_MAX,
        bytesMax: batchBytesMax ?? DEFAULT_BYTES_MAX,
      },
      slots: this.slots,
      onFailed: (error) => onPartitionFailed?.(partition, error),
    });
    this.deliveries.set(partition, delivery);
  }

  /** Until stopped, or the partitions must be given up. */
  private async holdMembership(): Promise<void> {
    let heardAt = performance.now();
    while (!this.isStopping) {
      await this.news.wait(HEARTBEAT_MS);
      try {
        if (this.isStopping) return;
        const standing = await this.membership.heartbeat();
        heardAt = performance.now();
        if (standing === 'lost') this.tellTrouble('was left', new Error('it went on without this member'));
        if (standing !== 'member') return;
        await this.commitForLag();
      } catch (error) {
        if (performance.now() - heardAt > SESSION_MS) {
          this.tellTrouble('was left', error);
          return;
        }
      }
    }
  }

  /** The group waits meanwhile, as long as it hears this member's heart. */
  private async revokeAll(): Promise<void> {
    const beating = setInterval(() => {
      this.membership.heartbeat().catch(() => undefined);
    }, HEARTBEAT_MS);
    await Promise.all([...this.deliveries.values()].map((delivery) => delivery.stop()));
    clearInterval(beating);
    await this.commitForLag();
    this.deliveries.clear();
    this.committed.clear();
    this.feeds.clear();
  }

  /** Tells tools that show lag how far the handler is; nothing of ours reads it, so the next commit may cover a failed one. */
  private async commitForLag(): Promise<void> {
    const moved = [...this.deliveries]
      .map(([partition, { position }]) => ({ partition, offset: position }))
      .filter(
        (at): at is Position => at.offset !== undefined && at.offset !== this.committed.get(at.partition),
      );
    if (moved.length === 0) return;
    try {
      await this.membership.commit(moved);
      for (const { partition, offset } of moved) this.committed.set(partition, offset);
    } catch {
      // Heartbeats tell whether the membership is at an end.
    }
  }

  private async rejoin(): Promise<number[] | undefined> {
    for (
      let delayMs = REJOIN_DELAY_MIN_MS;
      !this.isStopping;
      delayMs = Math.min(2 * delayMs, REJOIN_DELAY_MAX_MS)
    ) {
      try {
        return await this.membership.join();
      } catch (error) {
        this.tellTrouble('could not be joined', error);
        await this.cluster.refresh();
        if (!this.isStopping) await this.news.wait(delayMs);
      }
    }
    return undefined;
  }

  private tellTrouble(what: string, error: unknown): void {
    const { topic, group, onTrouble } = this.options;
    onTrouble(new Error(`group ${group} of ${topic} ${what}: ${(error as Error).message}`, { cause: error }));
  }
}
