import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ASSETS_TOPIC, FINDINGS_TOPIC } from '#libs/contracts';
import { type BatchHandler, INBOX_TOPICS, KafkaEventLog, openTopics, TOPICS } from '#libs/event-log';
import { INTAKE_TOPIC, REFUSED_SIGNALS_TOPIC, SIGNALS_TOPIC } from '#libs/intake';
import { INBOX, PROJECTORS, SCORERS } from '#libs/program';
import { connectKafka } from '../../../libs/event-log/src/kafka/connect-kafka.ts';
import { ConfigResourceTypes } from '../../../libs/event-log/src/kafka/kafkajs.ts';
import { trimTopic } from '../../../libs/event-log/src/kafka/trim-topic.ts';
import { describeOwnKafka } from '../../support/kafka.ts';
import { until } from '../../support/until.ts';
import { describeKubernetes } from './describe-kubernetes.ts';
import { buildWith, named, ofKind, parseManifests } from './manifests.ts';
import { SecuredKafka } from './secured-kafka.ts';

const PARTITIONS = 2;
const PROGRAMS = ['gateway', 'projector', 'scorer', 'collector'];
const COMMAND_LINE = 'command-line';

type Admin = ReturnType<ReturnType<typeof connectKafka>['admin']>;

describeKubernetes('deploy/kubernetes', () => describeOwnKafka('its users of Kafka', specs));

function specs(): void {
  const manifests = parseManifests(buildWith('small', 'inbox'));
  const users = ofKind(manifests, 'KafkaUser').map(({ metadata }) => metadata.name);
  const lagReader = named(manifests, 'ConfigMap', 'log-lag').data.username;
  const logs = new Map<string, KafkaEventLog>();
  let kafka: SecuredKafka;

  beforeAll(async () => {
    kafka = await SecuredKafka.start(manifests);
    for (const user of users) {
      logs.set(user, new KafkaEventLog({ ...kafka.as(user), partitions: PARTITIONS }));
    }
    await openTopics({
      ...kafka.as(COMMAND_LINE),
      partitions: PARTITIONS,
      topics: [...TOPICS, ...INBOX_TOPICS],
    });
  }, 300_000);

  afterAll(async () => {
    await Promise.all([...logs.values()].map((log) => log.close()));
    await kafka?.stop();
  });

  const logOf = (user: string) => logs.get(user)!;
  const record = (key: string) => ({ key, value: Buffer.from(key), partition: 0 });

  async function asAdmin<T>(user: string, work: (admin: Admin) => Promise<T>): Promise<T> {
    const admin = connectKafka(kafka.as(user)).admin();
    await admin.connect();
    try {
      return await work(admin);
    } finally {
      await admin.disconnect();
    }
  }

  const makes = (topic: (user: string) => string) => (user: string) =>
    openTopics({
      ...kafka.as(user),
      partitions: PARTITIONS,
      topics: [{ name: topic(user), settings: {} }],
    });
  const publishes = (topic: string) => async (user: string) => {
    const publisher = await logOf(user).publisher(topic, 0, 'publisher');
    await publisher.publish([record('published')]);
    await publisher.close();
  };
  const follows = (topic: string, group: string) => async (user: string) => {
    let seen = 0;
    const handler: BatchHandler = {
      assigned: async () => 0,
      revoked: async () => {},
      batch: async (records) => {
        seen += records.length;
        return records.at(-1)!.offset + 1;
      },
    };
    const consumer = await logOf(user).consume(topic, group, handler);
    await until(`${group} has followed ${topic}`, () => seen > 0);
    await consumer.stop();
  };
  const frees = (topic: string) => (user: string) => trimTopic(connectKafka(kafka.as(user)), topic, 0, 1);

  // In this order: records must be written before they are read and removed.
  const ATTEMPTS: [what: string, who: string[], attempt: (user: string) => Promise<unknown>][] = [
    [
      'verify the topics',
      [...PROGRAMS, COMMAND_LINE],
      (user) => openTopics({ ...kafka.as(user), partitions: PARTITIONS }),
    ],
    ['make a topic of the product', [COMMAND_LINE], makes((user) => `posture.by-${user}`)],
    ['make another topic', [], makes((user) => `by-${user}`)],
    [
      'append to the intake log',
      ['gateway', 'projector', 'collector', COMMAND_LINE],
      (user) => logOf(user).append(INTAKE_TOPIC, [record(user)]),
    ],
    ['publish findings', ['projector'], publishes(FINDINGS_TOPIC)],
    ['publish assets', ['projector'], publishes(ASSETS_TOPIC)],
    ['publish what is quarantined', ['projector'], publishes('posture.quarantine')],
    ['publish scores', ['scorer'], publishes('posture.scores')],
    ['send signals', ['signals-producer'], (user) => logOf(user).append(SIGNALS_TOPIC, [record(user)])],
    ['follow the inbox as a gateway', ['gateway'], follows(SIGNALS_TOPIC, INBOX.name)],
    ['publish refused signals', ['gateway'], publishes(REFUSED_SIGNALS_TOPIC)],
    ['follow the intake log as a projector', ['projector'], follows(INTAKE_TOPIC, PROJECTORS.name)],
    ['follow findings as a scorer', ['scorer'], follows(FINDINGS_TOPIC, SCORERS.name)],
    ['free records of the intake log', [COMMAND_LINE], frees(INTAKE_TOPIC)],
    ['free records of findings', [], frees(FINDINGS_TOPIC)],
    [
      'shorten the retention',
      [],
      (user) =>
        asAdmin(user, (admin) =>
          admin.alterConfigs({
            validateOnly: false,
            resources: [
              {
                type: ConfigResourceTypes.TOPIC,
                name: INTAKE_TOPIC,
                configEntries: [{ name: 'retention.ms', value: '1000' }],
              },
            ],
          }),
        ),
    ],
    [
      'delete a topic',
      [],
      (user) => asAdmin(user, (admin) => admin.deleteTopics({ topics: [INTAKE_TOPIC] })),
    ],
  ];

  it.each(ATTEMPTS)(
    '%s: %j, and no other user',
    async (_, who, attempt) => {
      const outcomes = await Promise.allSettled(users.map(attempt));
      const allowed = users.filter((_user, i) => outcomes[i]!.status === 'fulfilled');
      expect(allowed.sort()).toEqual([...who].sort());
    },
    60_000,
  );

  it('keep the log except the freed records', async () => {
    expect(await logOf('gateway').starts(INTAKE_TOPIC)).toEqual([1, 0]);
    expect(await logOf('gateway').ends(INTAKE_TOPIC)).toEqual([4, 0]);
  });

  it('allow the scaler to read the lag of the groups', async () => {
    const triggers = ofKind(manifests, 'ScaledObject').flatMap(({ spec }) => spec.triggers);
    await asAdmin(lagReader, async (admin) => {
      for (const { metadata } of triggers.filter(({ type }) => type === 'kafka')) {
        const { consumerGroup, topic } = metadata;
        const [committed] = await admin.fetchOffsets({ groupId: consumerGroup, topics: [topic] });
        const ends = await admin.fetchTopicOffsets(topic);
        const end = ends.find(({ partition }) => partition === 0)!;
        expect(committed!.partitions.find(({ partition }) => partition === 0)!.offset).not.toBe('-1');
        expect(Number(end.offset)).toBeGreaterThan(0);
      }
    });
  }, 60_000);
}
