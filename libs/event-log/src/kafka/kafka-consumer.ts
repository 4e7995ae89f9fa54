import type { Kafka } from 'kafkajs';
import { GroupConsumer, type GroupConsumerOptions } from '../delivery/group-consumer.ts';
import type { Position } from '../event-log.ts';
import { FetchLoop } from './fetch-loop.ts';
import { GroupMembership, SESSION_MS } from './group-membership.ts';
import { PartitionFeed } from './partition-feed.ts';
import { TopicCluster } from './topic-cluster.ts';

/** Also how long a member takes to notice that another has joined or left. */
const HEARTBEAT_MS = 1_000;
/** The group waits for this member. */
const REJOIN_DELAY_MS = 0;

export interface KafkaConsumerOptions extends GroupConsumerOptions {
  kafka: Kafka;
}

/**
 * Follows a topic as a member of a Kafka group. Before it joins again it releases its partitions: their current batches
 * are done and the handler was notified. Heartbeats do not wait for handlers, and commit the progress of these to
 * Kafka. While the brokers are unavailable it keeps its partitions for as long as the brokers would keep its
 * membership.
 */
export class KafkaConsumer extends GroupConsumer<KafkaConsumerOptions> {
  private readonly feeds = new Map<number, PartitionFeed>();
  /** Partition → the last offset committed to Kafka. */
  private readonly committed = new Map<number, number>();
  private readonly membership: GroupMembership;
  private readonly fetching: FetchLoop;

  private constructor(
    options: KafkaConsumerOptions,
    private readonly cluster: TopicCluster,
  ) {
    super(options);
    const { topic, group, partitions } = options;
    this.membership = new GroupMembership(cluster, group, topic, partitions);
    this.fetching = new FetchLoop(cluster, topic, this.feeds, (error) =>
      this.logTrouble('cannot read', error),
    );
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

  private async run(first: number[]): Promise<void> {
    let assigned: number[] | undefined = first;
    while (assigned) {
      for (const partition of assigned) this.start(partition);
      await this.holdMembership();
      await this.revokeAll();
      assigned = await this.rejoin(() => this.joinAnew(), REJOIN_DELAY_MS);
    }
    await this.close();
  }

  private async close(): Promise<void> {
    await this.membership.leave();
    await this.fetching.stop();
    await this.cluster.close();
  }

  private start(partition: number): void {
    const feed = new PartitionFeed(partition, () => this.fetching.ring());
    this.feeds.set(partition, feed);
    this.deliver(partition, feed);
  }

  /** Until stopped, or the partitions must be given up. */
  private async holdMembership(): Promise<void> {
    let lastHeartbeatAt = performance.now();
    while (!this.isStopping) {
      await this.news.wait(HEARTBEAT_MS);
      try {
        if (this.isStopping) return;
        const standing = await this.membership.heartbeat();
        lastHeartbeatAt = performance.now();
        if (standing === 'lost')
          this.logTrouble('was left', new Error('the group continued without this member'));
        if (standing !== 'member') return;
        await this.commitForLag();
      } catch (error) {
        if (performance.now() - lastHeartbeatAt > SESSION_MS) {
          this.logTrouble('was left', error);
          return;
        }
      }
    }
  }

  /** The group waits while it receives heartbeats of this member. */
  private async revokeAll(): Promise<void> {
    const beating = setInterval(() => {
      this.membership.heartbeat().catch(() => undefined);
    }, HEARTBEAT_MS);
    await this.stopDeliveries();
    clearInterval(beating);
    await this.commitForLag();
    this.deliveries.clear();
    this.committed.clear();
    this.feeds.clear();
  }

  /** Reports the handler's progress to lag tools; this service does not read it, so the next commit may cover a failed one. */
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
      // Heartbeats report whether the membership has ended.
    }
  }

  private async joinAnew(): Promise<number[]> {
    try {
      return await this.membership.join();
    } catch (error) {
      await this.cluster.refresh();
      throw error;
    }
  }
}
