import { setTimeout as delay } from 'node:timers/promises';
import type { Assigner, Broker, Cluster, Kafka, Consumer as KafkaJsConsumer } from 'kafkajs';
import { backOffMs } from '#libs/back-off';
import { isProtocolError } from './client-error.ts';
import type { FetchedPartition } from './committed-records.ts';

export interface FetchRequest {
  partition: number;
  /** Offset to read from. */
  from: number;
  bytesMax: number;
}

export interface FetchBounds {
  /** How long the broker may wait for the first record, in ms. */
  waitMsMax: number;
  bytesMax: number;
}

const ATTEMPTS_MAX = 5;
const BACK_OFF = { firstMs: 100, longestMs: 1_000 };
const METADATA_AGE_MS_MAX = 60_000;
const READ_COMMITTED = 1;

/** kafkajs asks for an assigner; the consumer here never joins a group. */
const UNUSED_ASSIGNER: Assigner = {
  name: 'unused',
  version: 0,
  assign: () => Promise.resolve([]),
  protocol: () => ({ name: 'unused', metadata: Buffer.alloc(0) }),
};

/**
 * The brokers as the readers of a topic need them. kafkajs' own consumer cannot read chosen partitions, reads
 * none of them while one handler is busy, and gives its partitions to others before its handlers are done. So its
 * connections are used without it: the cluster that kafkajs hands to a partition assigner.
 */
export class TopicCluster {
  private constructor(
    private readonly consumer: KafkaJsConsumer,
    /** For what else is asked of the brokers on these connections. */
    readonly cluster: Cluster,
  ) {}

  static async connect(kafka: Kafka, name: string): Promise<TopicCluster> {
    const found: Cluster[] = [];
    const consumer = kafka.consumer({
      groupId: name,
      allowAutoTopicCreation: false,
      metadataMaxAge: METADATA_AGE_MS_MAX,
      partitionAssigners: [
        ({ cluster }) => {
          found.push(cluster);
          return UNUSED_ASSIGNER;
        },
      ],
    });
    try {
      await consumer.connect();
      // Before anything else is asked: if several do so at once, kafkajs makes brokers twice and leaves one connected.
      await found[0]!.refreshMetadata();
    } catch (error) {
      await consumer.disconnect().catch(() => undefined);
      throw error;
    }
    return new TopicCluster(consumer, found[0]!);
  }

  async close(): Promise<void> {
    await this.consumer.disconnect().catch(() => undefined);
  }

  /** Which broker leads which of the partitions. */
  async leadersOf(topic: string, partitions: number[]): Promise<[nodeId: string, partitions: number[]][]> {
    await this.cluster.addTargetTopic(topic);
    await this.cluster.refreshMetadataIfNecessary();
    const leaders = Object.entries(this.cluster.findLeaderForPartitions(topic, partitions));
    const found = leaders.flatMap(([, led]) => led);
    const missing = partitions.filter((partition) => !found.includes(partition));
    if (missing.length > 0) throw new Error(`the topic ${topic} has no partition ${missing.join(', ')}`);
    return leaders;
  }

  /**
   * One fetch of one broker; a partition that it does not lead fails the whole fetch. Records up to the last stable
   * offset.
   */
  async fetch(
    nodeId: string,
    topic: string,
    requests: FetchRequest[],
    { waitMsMax, bytesMax }: FetchBounds,
  ): Promise<FetchedPartition[]> {
    const broker: Broker = await this.cluster.findBroker({ nodeId });
    const { responses } = await broker.fetch({
      isolationLevel: READ_COMMITTED,
      maxWaitTime: waitMsMax,
      minBytes: 1,
      maxBytes: bytesMax,
      topics: [
        {
          topic,
          partitions: requests.map((request) => ({
            partition: request.partition,
            fetchOffset: `${request.from}`,
            maxBytes: request.bytesMax,
          })),
        },
      ],
    });
    return (responses as { partitions: FetchedPartition[] }[]).flatMap(({ partitions }) => partitions);
  }

  /** The first offset, or the end that a read-committed reader may reach, of each of the partitions. */
  async offsetsOf(topic: string, partitions: number[], which: 'first' | 'end'): Promise<Map<number, number>> {
    await this.leadersOf(topic, partitions);
    const [offsets] = await this.cluster.fetchTopicsOffset([
      { topic, partitions: partitions.map((partition) => ({ partition })), fromBeginning: which === 'first' },
    ]);
    const found = new Map(offsets?.partitions.map(({ partition, offset }) => [partition, Number(offset)]));
    const missing = partitions.filter((partition) => !found.has(partition));
    if (missing.length > 0) throw new Error(`no offset was returned for ${topic}/${missing.join(', ')}`);
    return found;
  }

  /** Tries again where leaders have moved or connections were lost, a few times. */
  async withRetry<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (attempt === ATTEMPTS_MAX || isProtocolError(error, 'OFFSET_OUT_OF_RANGE')) throw error;
        await delay(backOffMs(attempt, BACK_OFF, 1));
        await this.refresh();
      }
    }
  }

  /** Learns the leaders again; a failure shows at the next request. */
  async refresh(): Promise<void> {
    await this.cluster.refreshMetadata().catch(() => undefined);
  }
}
