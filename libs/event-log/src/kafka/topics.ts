import { setTimeout } from 'node:timers/promises';
import type { Admin, ITopicMetadata } from 'kafkajs';
import { LogUnavailableError } from '../event-log.ts';
import { available } from './client-error.ts';
import { connectKafka, type KafkaConnectionOptions } from './connect-kafka.ts';
import { ConfigResourceTypes } from './kafkajs.ts';
import { TOPIC_BATCH_BYTES_MAX } from './limits.ts';

/** A topic of the product and its settings; settings are Kafka's own names. */
export interface Topic {
  name: string;
  settings: Record<string, string>;
  /** Those of a new topic; operators may change them. */
  initialSettings?: Record<string, string>;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const KEPT_FOR_EVER = { 'cleanup.policy': 'delete', 'retention.ms': '-1', 'retention.bytes': '-1' };
/**
 * A subscriber less than a week behind sees every change, a later one the last state of each key, but after two weeks no
 * tombstone: the lag, and then the retention of deletes.
 */
const LAST_STATE_OF_EACH_KEY = {
  'cleanup.policy': 'compact',
  'min.compaction.lag.ms': `${7 * DAY_MS}`,
  'delete.retention.ms': `${7 * DAY_MS}`,
};

/** The topics of the service (R-LOG-1, R-LOG-8). */
export const TOPICS: readonly Topic[] = [
  { name: 'posture.intake', settings: KEPT_FOR_EVER },
  { name: 'posture.findings', settings: LAST_STATE_OF_EACH_KEY },
  { name: 'posture.assets', settings: LAST_STATE_OF_EACH_KEY },
  { name: 'posture.scores', settings: LAST_STATE_OF_EACH_KEY },
  { name: 'posture.quarantine', settings: KEPT_FOR_EVER },
];

/** Topics of the inbox (R-INBOX-1): what other programs send, and what of it was refused. */
export const INBOX_TOPICS: readonly Topic[] = ['posture.signals', 'posture.signals.refused'].map((name) => ({
  name,
  settings: {
    'cleanup.policy': 'delete',
    // Producers compress as they like: the brokers unpack what our client cannot read.
    'compression.type': 'uncompressed',
  },
  initialSettings: { 'retention.ms': `${7 * DAY_MS}` },
}));

export interface TopicsOptions extends KafkaConnectionOptions {
  /** LOG_PARTITIONS. */
  partitions: number;
  /**
   * KAFKA_REPLICATION; unset: existing topics keep their replicas, and new ones get the lesser of 3 and the number of
   * brokers.
   */
  replication?: number;
  /** Default: those of the product. */
  topics?: readonly Topic[];
}

/** The product cannot run with these topics; the message states the problem and the remedy. */
export class TopicsError extends Error {
  override name = 'TopicsError';
}

/**
 * Makes the topics that are missing, then verifies all of them.
 * @returns warnings, as sentences
 * @throws TopicsError, or LogUnavailableError
 */
export async function openTopics(options: TopicsOptions): Promise<string[]> {
  return withAdmin(options, async (admin) => {
    const existing = await admin.listTopics();
    const missing = topicsOf(options).filter(({ name }) => !existing.includes(name));
    // A broker may be away at any start but the first: only who makes topics counts them.
    if (missing.length > 0) {
      await create(admin, missing, options.partitions, await replicationOfNew(admin, options));
    }
    await waitUntilLed(admin, namesOf(options));
    return verify(admin, options);
  });
}

const topicsOf = ({ topics = TOPICS }: TopicsOptions): readonly Topic[] => topics;

const namesOf = (options: TopicsOptions): string[] => topicsOf(options).map(({ name }) => name);

async function withAdmin<T>(options: TopicsOptions, work: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = connectKafka(options).admin();
  try {
    await available(admin.connect());
    return await work(admin).catch((error: unknown) => {
      if (error instanceof TopicsError) throw error;
      return available(Promise.reject(error));
    });
  } finally {
    await admin.disconnect().catch(() => undefined);
  }
}

async function replicationOfNew(admin: Admin, { replication }: TopicsOptions): Promise<number> {
  const { brokers } = await admin.describeCluster();
  if (replication === undefined) return Math.min(3, brokers.length);
  if (replication <= brokers.length) return replication;
  throw new TopicsError(
    `KAFKA_REPLICATION is ${replication}, but there are ${brokers.length} broker(s): start more brokers, or lower KAFKA_REPLICATION`,
  );
}

async function create(
  admin: Admin,
  topics: readonly Topic[],
  partitions: number,
  replication: number,
): Promise<void> {
  // Another process may make them at the same moment; kafkajs answers false then.
  await admin.createTopics({
    waitForLeaders: false,
    topics: topics.map((topic) => ({
      topic: topic.name,
      numPartitions: partitions,
      replicationFactor: replication,
      configEntries: Object.entries({ ...settingsOf(topic, replication), ...topic.initialSettings }).map(
        ([name, value]) => ({ name, value }),
      ),
    })),
  });
}

const LED_MS_MAX = 30_000;
const LED_INTERVAL_MS = 50;

/**
 * Resolves when each partition of the topics has a leader that serves requests. A busy broker becomes the leader of a
 * new topic only some time after the response to its creation.
 */
export async function waitUntilLed(admin: Admin, topics: string[]): Promise<void> {
  const deadline = performance.now() + LED_MS_MAX;
  for (;;) {
    const failure = await failureOfLeaders(admin, topics);
    if (!failure) return;
    if (performance.now() > deadline) {
      throw new LogUnavailableError(
        `no broker responds for all partitions of ${topics.join(', ')}: ${failure.message}`,
        { cause: failure },
      );
    }
    await setTimeout(LED_INTERVAL_MS);
  }
}

/** Null if they answer for every partition. Of a new topic kafkajs may fail with anything, even with a TypeError. */
async function failureOfLeaders(admin: Admin, names: string[]): Promise<Error | null> {
  try {
    const existing = await admin.listTopics();
    const missing = names.filter((name) => !existing.includes(name));
    if (missing.length > 0) return new Error(`missing topics: ${missing.join(', ')}`);
    for (const name of names) await admin.fetchTopicOffsets(name);
    return null;
  } catch (error) {
    return error as Error;
  }
}

const settingsOf = ({ settings }: Topic, replication: number): Record<string, string> => ({
  'max.message.bytes': `${TOPIC_BATCH_BYTES_MAX}`,
  // One replica of three may be unavailable: acknowledged records are still on two.
  'min.insync.replicas': `${Math.max(1, replication - 1)}`,
  'unclean.leader.election.enable': 'false',
  // Batches stay as they were compressed by us: kafkajs reads gzip only.
  'compression.type': 'producer',
  'message.timestamp.type': 'LogAppendTime',
  ...settings,
});

async function verify(admin: Admin, options: TopicsOptions): Promise<string[]> {
  const topics = topicsOf(options);
  const found = (await admin.fetchTopicMetadata({ topics: namesOf(options) })).topics;
  const replication = options.replication ?? Math.min(...found.map(replicasOf));
  const problems = [
    ...found.flatMap((topic) => wrongPartitions(topic, options.partitions, replication)),
    ...(await wrongSettings(admin, topics, replication)),
  ];
  if (problems.length > 0) throw new TopicsError(problems.join('; '));
  return replication === 1
    ? ['the topics have one replica: acknowledged records are lost if the disk of one broker fails']
    : [];
}

/** Those of brokers that are unavailable count. */
const replicasOf = ({ partitions }: ITopicMetadata): number =>
  Math.min(...partitions.map(({ replicas }) => replicas.length));

function wrongPartitions(topic: ITopicMetadata, partitions: number, replication: number): string[] {
  const { name, partitions: found } = topic;
  const replicas = replicasOf(topic);
  return [
    ...(found.length === partitions
      ? []
      : [
          `${name} has ${found.length} partitions, but LOG_PARTITIONS is ${partitions}: set it to ${found.length} (the partition of a key must never change)`,
        ]),
    ...(replicas >= replication
      ? []
      : [
          `${name} has ${replicas} replica(s), but ${replication} are required: add them with kafka-reassign-partitions, or set KAFKA_REPLICATION to ${replicas}`,
        ]),
  ];
}

async function wrongSettings(admin: Admin, topics: readonly Topic[], replication: number): Promise<string[]> {
  const resources = topics.map((topic) => ({
    type: ConfigResourceTypes.TOPIC,
    name: topic.name,
    configNames: Object.keys(settingsOf(topic, replication)),
  }));
  const described = (await admin.describeConfigs({ resources, includeSynonyms: false })).resources;
  return topics.flatMap((topic) => {
    const entries = described.find(({ resourceName }) => resourceName === topic.name)?.configEntries ?? [];
    const found = new Map(entries.map(({ configName, configValue }) => [configName, configValue]));
    return Object.entries(settingsOf(topic, replication))
      .filter(([name, wanted]) => found.get(name) !== wanted)
      .map(
        ([name, wanted]) =>
          `${topic.name} has ${name}=${found.get(name)}, but ${wanted} is required: set it with kafka-configs --alter --topic ${topic.name} --add-config ${name}=${wanted}`,
      );
  });
}
