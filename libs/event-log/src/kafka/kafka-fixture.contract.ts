import type { Admin } from 'kafkajs';
import type { EventLogFixture } from '../event-log.contract.ts';
import type { EventLog } from '../event-log.ts';
import { connectKafka } from './connect-kafka.ts';
import { KafkaEventLog, type KafkaEventLogOptions } from './kafka-event-log.ts';
import { openTopics } from './topics.ts';

export async function withAdmin<T>(brokers: string, work: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = connectKafka({ brokers: [brokers] }).admin();
  try {
    await admin.connect();
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
}

/** A log whose topics come to be when they are first used, as the contract's do. */
export function withTopics(log: KafkaEventLog, brokers: string): EventLog {
  const made = new Map<string, Promise<unknown>>();
  const topicOf = (name: string) => {
    const making =
      made.get(name) ??
      openTopics({
        brokers: [brokers],
        partitions: log.partitions,
        topics: [{ name, settings: { 'cleanup.policy': 'delete', 'retention.ms': '-1' } }],
      });
    made.set(name, making);
    return making;
  };
  return {
    partitions: log.partitions,
    append: (topic, records) => topicOf(topic).then(() => log.append(topic, records)),
    consume: (topic, ...rest) => topicOf(topic).then(() => log.consume(topic, ...rest)),
    publisher: (topic, ...rest) => topicOf(topic).then(() => log.publisher(topic, ...rest)),
    // What the port says of `to` counts from the call, so a topic that is there must not be waited for.
    read: (topic, ...rest) =>
      made.has(topic) ? log.read(topic, ...rest) : after(topicOf(topic), () => log.read(topic, ...rest)),
    ends: (topic) => topicOf(topic).then(() => log.ends(topic)),
    assertAppendable: () => log.assertAppendable(),
    starts: (topic) => topicOf(topic).then(() => log.starts(topic)),
    trim: (topic, ...rest) => topicOf(topic).then(() => log.trim(topic, ...rest)),
    close: () => log.close(),
  };
}

async function* after<T>(ready: Promise<unknown>, begin: () => AsyncIterable<T>): AsyncGenerator<T> {
  await ready;
  yield* begin();
}

export function kafkaFixture(
  brokers: () => string,
  options: Partial<KafkaEventLogOptions> = {},
): () => Promise<EventLogFixture> {
  return async () => {
    const logs: EventLog[] = [];
    return {
      log: async ({ partitions = 4 } = {}) => {
        const log = withTopics(
          new KafkaEventLog({ brokers: [brokers()], partitions, ...options }),
          brokers(),
        );
        logs.push(log);
        return log;
      },
      dispose: async () => {
        await Promise.all(logs.map((log) => log.close()));
      },
    };
  };
}
