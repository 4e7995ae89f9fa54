import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { FINDINGS_TOPIC } from '#libs/contracts';
import { type BatchHandler, type KafkaConnectionOptions, KafkaEventLog, openTopics } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import { PROJECTORS, SCORERS } from '#libs/program';
import { type KafkaCluster, startKafka } from '../../../deploy/kafka/broker.mjs';
import { connectKafka } from '../../../libs/event-log/src/kafka/connect-kafka.ts';
import { TestAuthority } from '../../support/certificates.ts';
import { describeOwnKafka } from '../../support/kafka.ts';
import { temporaryDataDir } from '../../support/started-standalone.ts';
import { until } from '../../support/until.ts';
import { freePorts } from '../kafka-service.ts';
import { describeKubernetes } from './describe-kubernetes.ts';
import { buildText, type Manifest, named, ofKind, parseManifests } from './manifests.ts';

const PASSWORD = 'for-tests';
const PARTITIONS = 2;

/** As Kafka's protocol numbers them (AclResourceType, PatternType, AclOperation, AclPermissionType). */
const RESOURCE_TYPES: Record<string, number> = { topic: 2, group: 3, cluster: 4, transactionalId: 5 };
const PATTERNS: Record<string, number> = { literal: 3, prefix: 4 };
const OPERATIONS: Record<string, number> = {
  Read: 3,
  Write: 4,
  Create: 5,
  Delete: 6,
  Alter: 7,
  Describe: 8,
  DescribeConfigs: 10,
};
const ALLOW = 3;

/** What Strimzi's user operator makes of a KafkaUser. */
const aclsOf = ({ metadata, spec }: Manifest) =>
  spec.authorization.acls.flatMap(
    ({ resource, operations }: { resource: Record<string, string>; operations: string[] }) =>
      operations.map((operation) => ({
        principal: `User:${metadata.name}`,
        host: '*',
        permissionType: ALLOW,
        operation: OPERATIONS[operation]!,
        resourceType: RESOURCE_TYPES[resource.type!]!,
        resourceName: resource.name!,
        resourcePatternType: PATTERNS[resource.patternType ?? 'literal']!,
      })),
  );

/** As a file of properties has it. */
const inOneLine = (pem: string): string => pem.trim().replaceAll('\n', '\\n');

/** On a broker that lets nobody do what it was not told to. */
describeKubernetes('deploy/kubernetes', () => describeOwnKafka('its users of Kafka', specs));

function specs(): void {
  const manifests = parseManifests(buildText('small'));
  const users = ofKind(manifests, 'KafkaUser');
  const lagReader = named(manifests, 'ConfigMap', 'log-lag').data.username;
  let directory: string;
  let cluster: KafkaCluster;
  let authority: TestAuthority;
  let port: number;
  let log: KafkaEventLog;

  const as = (username: string): KafkaConnectionOptions => ({
    brokers: [`127.0.0.1:${port}`],
    ssl: { ca: [authority.certificate] },
    sasl: { mechanism: 'plain', username, password: PASSWORD },
  });

  beforeAll(async () => {
    [directory, authority] = await Promise.all([temporaryDataDir(), TestAuthority.create()]);
    const { key, cert } = await authority.issue(['IP:127.0.0.1']);
    const [own, controller, programs] = await freePorts(3);
    port = programs!;
    const passwords = users.map(({ metadata }) => `user_${metadata.name}="${PASSWORD}"`).join(' ');
    cluster = await startKafka({
      directory,
      port: own!,
      settings: {
        listeners: `PLAINTEXT://127.0.0.1:${own},PROGRAMS://127.0.0.1:${programs},CONTROLLER://127.0.0.1:${controller}`,
        'advertised.listeners': `PLAINTEXT://127.0.0.1:${own},PROGRAMS://127.0.0.1:${programs}`,
        'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,PROGRAMS:SASL_SSL,CONTROLLER:PLAINTEXT',
        'controller.quorum.voters': `1@127.0.0.1:${controller}`,
        'inter.broker.listener.name': 'PLAINTEXT',
        'listener.name.programs.sasl.enabled.mechanisms': 'PLAIN',
        'listener.name.programs.plain.sasl.jaas.config': `org.apache.kafka.common.security.plain.PlainLoginModule required ${passwords};`,
        'ssl.keystore.type': 'PEM',
        'ssl.keystore.key': inOneLine(key),
        'ssl.keystore.certificate.chain': inOneLine(cert),
        'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
        'super.users': 'User:ANONYMOUS',
      },
    });
    const admin = connectKafka({ brokers: [cluster.brokers] }).admin();
    await admin.connect();
    await admin.createAcls({ acl: users.flatMap(aclsOf) });
    await admin.disconnect();
    log = new KafkaEventLog({ ...as('programs'), partitions: PARTITIONS });
  }, 300_000);

  afterAll(async () => {
    await log?.close();
    await cluster?.kill();
    await authority?.remove();
    await rm(directory, { recursive: true, force: true });
  });

  const record = (key: string) => ({ key, value: Buffer.from(key), partition: 0 });

  it('let the programs make the topics, append, follow, publish and trim', async () => {
    await openTopics({ ...as('programs'), partitions: PARTITIONS });
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
    const admin = connectKafka(as(lagReader)).admin();
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
    const reader = new KafkaEventLog({ ...as(lagReader), partitions: PARTITIONS });
    await expect(reader.append(INTAKE_TOPIC, [record('forged')])).rejects.toThrow();
    await reader.close();
  }, 60_000);

  it('let the programs have no topic but the product’s', async () => {
    const topics = [{ name: 'elsewhere', settings: {} }];
    await expect(openTopics({ ...as('programs'), partitions: PARTITIONS, topics })).rejects.toThrow();
  }, 60_000);
}
