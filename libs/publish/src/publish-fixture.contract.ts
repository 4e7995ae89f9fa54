import { randomUUID } from 'node:crypto';
import { type EventLog, KafkaEventLog, openTopics, PostgresEventLog } from '#libs/event-log';
import type { TestDatabase } from '../../../test/support/database.ts';
import { withAdmin } from '../../event-log/src/kafka/kafka-fixture.contract.ts';

/** A log to publish to. */
export interface PublishFixture {
  log: EventLog;
  /** Takes all records out of a partition, as retention or an operator may; answers the next offset. */
  forget(topic: string, partition: number): Promise<number>;
  /** Closes the log. */
  dispose(): Promise<void>;
}

export const PARTITIONS = 20;

export async function postgresFixture({ url, db }: TestDatabase): Promise<PublishFixture> {
  const log = new PostgresEventLog({ url, partitions: PARTITIONS });
  return {
    log,
    forget: async (topic, partition) => {
      for (const table of ['log_records', 'log_ends'] as const) {
        await db.deleteFrom(table).where('topic', '=', topic).where('partition', '=', partition).execute();
      }
      return 0;
    },
    dispose: () => log.close(),
  };
}

/** Topics of the product's names, made for this fixture alone. */
export async function kafkaFixture(brokers: string, topics: readonly string[]): Promise<PublishFixture> {
  const kafka = new KafkaEventLog({ brokers: [brokers], partitions: PARTITIONS });
  const run = randomUUID();
  const own = (topic: string) => `${topic}.${run}`;
  await openTopics({
    brokers: [brokers],
    partitions: PARTITIONS,
    // Compaction is none of the publisher's doing, and Kafka deletes no records at once where it is on.
    topics: topics.map((topic) => ({
      name: own(topic),
      settings: { 'cleanup.policy': 'delete', 'retention.ms': '-1' },
    })),
  });
  return {
    log: renamed(kafka, own),
    forget: (topic, partition) =>
      withAdmin(brokers, async (admin) => {
        // kafkajs deletes only in topics that this admin has asked for before.
        const offsets = await admin.fetchTopicOffsets(own(topic));
        await admin.deleteTopicRecords({ topic: own(topic), partitions: [{ partition, offset: '-1' }] });
        return Number(offsets.find((one) => one.partition === partition)!.high);
      }),
    dispose: () => kafka.close(),
  };
}

/** The brokers are one a run: topics of the product's names are others' too. */
const renamed = (log: EventLog, own: (topic: string) => string): EventLog => ({
  partitions: log.partitions,
  append: (topic, records) => log.append(own(topic), records),
  consume: (topic, ...rest) => log.consume(own(topic), ...rest),
  publisher: (topic, ...rest) => log.publisher(own(topic), ...rest),
  read: (topic, ...rest) => log.read(own(topic), ...rest),
  ends: (topic) => log.ends(own(topic)),
  assertAppendable: () => log.assertAppendable(),
  starts: (topic) => log.starts(own(topic)),
  trim: (topic, ...rest) => log.trim(own(topic), ...rest),
  close: () => log.close(),
});
