import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { FINDINGS_TOPIC } from '#libs/contracts';
import { type BatchHandler, KafkaEventLog, openTopics } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import { PROJECTORS, SCORERS } from '#libs/program';
import { connectKafka } from '../../../libs/event-log/src/kafka/connect-kafka.ts';
import { describeOwnKafka } from '../../support/kafka.ts';
import { until } from '../../support/until.ts';
import { describeKubernetes } from './describe-kubernetes.ts';
import { buildText, named, ofKind, parseManifests } from './manifests.ts';
import { SecuredKafka } from './secured-kafka.ts';

const PARTITIONS = 2;

describeKubernetes('deploy/kubernetes', () => describeOwnKafka('its users of Kafka', specs));

function specs(): void {
  const manifests = parseManifests(buildText('small'));
  const lagReader = named(manifests, 'ConfigMap', 'log-lag').data.username;
  let kafka: SecuredKafka;
  let log: KafkaEventLog;

  beforeAll(async () => {
    kafka = await SecuredKafka.start(manifests);
    log = new KafkaEventLog({ ...kafka.as('programs'), partitions: PARTITIONS });
  }, 300_000);

  afterAll(async () => {
    await log?.close();
    await kafka?.stop();
  });

  const record = (key: string) => ({ key, value: Buffer.from(key), partition: 0 });

  it('let the programs make the topics, append, follow, publish and trim', async () => {
    await openTopics({ ...kafka.as('programs'), partitions: PARTITIONS });
    await log.append(INTAKE_TOPIC, [record('a'), record('b')]);
    const publisher = await log.publisher(FINDINGS_TOPIC, 0, 'publisher');
    await publisher.publish([record('c')]);
    await publisher.close();

    for (const [topic, { name }, count] of [
      [INTAKE_TOPIC, PROJECTORS, 2],
      [FINDINGS_TOPIC, SCORERS, 1],
    ] as const) {
      let seen = 0;
      const handler: BatchHandler = {
        assigned: async () => 0,
        revoked: async () => {},
        batch: async (records) => {
          seen += records.length;
          return records.at(-1)!.offset + 1;
        },
      };
      const consumer = await log.consume(topic, name, handler);
      await until(`${name} has followed ${topic}`, () => seen === count);
      await consumer.stop();
    }

    await log.trim(INTAKE_TOPIC, 0, 1);
    expect(await log.starts(INTAKE_TOPIC)).toEqual([1, 0]);
  }, 60_000);

  it('let the scaler see how far the groups are behind, and no more', async () => {
    const admin = connectKafka(kafka.as(lagReader)).admin();
    await admin.connect();
    for (const { spec } of ofKind(manifests, 'ScaledObject')) {
      const { consumerGroup, topic } = spec.triggers[0].metadata;
      const [committed] = await admin.fetchOffsets({ groupId: consumerGroup, topics: [topic] });
      const ends = await admin.fetchTopicOffsets(topic);
      const end = ends.find(({ partition }) => partition === 0)!;
      expect(committed!.partitions.find(({ partition }) => partition === 0)!.offset).not.toBe('-1');
      expect(Number(end.offset)).toBeGreaterThan(0);
    }
    await admin.disconnect();
    const reader = new KafkaEventLog({ ...kafka.as(lagReader), partitions: PARTITIONS });
    await expect(reader.append(INTAKE_TOPIC, [record('forged')])).rejects.toThrow();
    await reader.close();
  }, 60_000);

  it('let the programs have no topic but the product’s', async () => {
    const topics = [{ name: 'elsewhere', settings: {} }];
    await expect(openTopics({ ...kafka.as('programs'), partitions: PARTITIONS, topics })).rejects.toThrow();
  }, 60_000);
}
