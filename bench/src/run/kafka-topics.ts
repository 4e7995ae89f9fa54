import { setTimeout } from 'node:timers/promises';
import kafkajs, { type Admin } from 'kafkajs';

const READY_MS_MAX = 30_000;
const DELETED_MS_MAX = 30_000;
const LOOK_INTERVAL_MS = 100;

/** Topics of a benchmark's broker. */
export class KafkaTopics {
  private constructor(private readonly admin: Admin) {}

  static async open(brokers: string): Promise<KafkaTopics> {
    const admin = new kafkajs.Kafka({ brokers: [brokers], logLevel: kafkajs.logLevel.NOTHING }).admin();
    await admin.connect();
    const topics = new KafkaTopics(admin);
    await topics.untilGroupsWork();
    return topics;
  }

  /** The first request for a group creates the topic of offsets. Until it exists, the broker rejects such requests. */
  private async untilGroupsWork(): Promise<void> {
    const deadline = performance.now() + READY_MS_MAX;
    for (;;) {
      try {
        await this.admin.fetchOffsets({ groupId: 'bench' });
        return;
      } catch (error) {
        if (performance.now() > deadline) throw error;
        await setTimeout(LOOK_INTERVAL_MS);
      }
    }
  }

  /** Creates a topic with the settings of the service that affect speed. */
  async create(topic: string, partitions: number): Promise<void> {
    await this.admin.createTopics({
      waitForLeaders: true,
      topics: [
        {
          topic,
          numPartitions: partitions,
          replicationFactor: 1,
          configEntries: [
            { name: 'max.message.bytes', value: `${4 * 1024 * 1024}` },
            { name: 'compression.type', value: 'producer' },
            { name: 'message.timestamp.type', value: 'LogAppendTime' },
          ],
        },
      ],
    });
  }

  /** Resolves when the broker no longer knows them; missing ones are ignored. */
  async delete(topics: string[]): Promise<void> {
    const existing = await this.admin.listTopics();
    const doomed = topics.filter((topic) => existing.includes(topic));
    if (doomed.length === 0) return;
    await this.admin.deleteTopics({ topics: doomed });
    const deadline = performance.now() + DELETED_MS_MAX;
    for (;;) {
      const left = await this.admin.listTopics();
      if (!doomed.some((topic) => left.includes(topic))) return;
      if (performance.now() > deadline) throw new Error(`Kafka does not delete ${doomed.join(', ')}`);
      await setTimeout(LOOK_INTERVAL_MS);
    }
  }

  /** Records in a topic: the sum of the ends of its partitions. Correct without transactions and deleted records. */
  async records(topic: string): Promise<number> {
    const offsets = await this.admin.fetchTopicOffsets(topic);
    return offsets.reduce((sum, { offset }) => sum + Number(offset), 0);
  }

  /** The number of partitions of a topic that each member of a group has; empty while the group rebalances. */
  async shares(group: string, topic: string): Promise<number[]> {
    const { groups } = await this.admin.describeGroups([group]);
    const [described] = groups;
    if (described?.state !== 'Stable') return [];
    return described.members.map(({ memberAssignment }) => {
      const decoded = kafkajs.AssignerProtocol.MemberAssignment.decode(memberAssignment);
      return decoded?.assignment[topic]?.length ?? 0;
    });
  }

  async close(): Promise<void> {
    await this.admin.disconnect();
  }
}
