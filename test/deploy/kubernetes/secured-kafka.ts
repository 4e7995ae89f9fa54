import { rm } from 'node:fs/promises';
import type { KafkaConnectionOptions } from '#libs/event-log';
import { type KafkaCluster, startKafka } from '../../../deploy/kafka/broker.mjs';
import { connectKafka } from '../../../libs/event-log/src/kafka/connect-kafka.ts';
import { TestAuthority } from '../../support/certificates.ts';
import { temporaryDataDir } from '../../support/started-standalone.ts';
import { freePorts } from '../kafka-service.ts';
import { type Manifest, named, ofKind } from './manifests.ts';

/** Of every user. */
export const KAFKA_PASSWORD = 'for-tests';
/** Strimzi's users have SCRAM; their permissions are the same. */
export const KAFKA_MECHANISM = 'plain';

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

/** A broker that lets the users of the manifests in, by TLS and password, and denies everything else. */
export class SecuredKafka {
  private constructor(
    private readonly cluster: KafkaCluster,
    private readonly directory: string,
    /** The authority of its certificate; it can sign others. */
    readonly authority: TestAuthority,
    /** As KAFKA_BROKERS. */
    readonly brokers: string,
  ) {}

  static async start(manifests: Manifest[]): Promise<SecuredKafka> {
    const users = ofKind(manifests, 'KafkaUser');
    const [directory, authority] = await Promise.all([temporaryDataDir(), TestAuthority.create()]);
    const { key, cert } = await authority.issue(['IP:127.0.0.1']);
    const [own, controller, programs] = await freePorts(3);
    const passwords = users.map(({ metadata }) => `user_${metadata.name}="${KAFKA_PASSWORD}"`).join(' ');
    const cluster = await startKafka({
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
        'delete.topic.enable': `${named(manifests, 'Kafka', 'log').spec.kafka.config['delete.topic.enable']}`,
      },
    });
    const admin = connectKafka({ brokers: [cluster.brokers] }).admin();
    await admin.connect();
    await admin.createAcls({ acl: users.flatMap(aclsOf) });
    await admin.disconnect();
    return new SecuredKafka(cluster, directory, authority, `127.0.0.1:${programs}`);
  }

  as(username: string): KafkaConnectionOptions {
    return {
      brokers: [this.brokers],
      ssl: { ca: [this.authority.certificate] },
      sasl: { mechanism: KAFKA_MECHANISM, username, password: KAFKA_PASSWORD },
    };
  }

  async stop(): Promise<void> {
    await this.cluster.kill();
    await this.authority.remove();
    await rm(this.directory, { recursive: true, force: true });
  }
}

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
