import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { withAdmin } from '../../../../test/fixtures/event-log/kafka-fixture.ts';
import { describeKafka } from '../../../../test/support/kafka.ts';
import { openTopics, TOPICS, type Topic, TopicsError, waitUntilLed } from './topics.ts';

describe('TOPICS', () => {
  it('are those of the service; the intake is retained forever', () => {
    expect(TOPICS.map(({ name }) => name)).toEqual([
      'posture.intake',
      'posture.findings',
      'posture.assets',
      'posture.scores',
      'posture.quarantine',
    ]);
    expect(TOPICS[0]!.settings).toMatchObject({ 'cleanup.policy': 'delete', 'retention.ms': '-1' });
  });

  it('keep every change for a week, and tombstones for two, as docs/subscribing.md says', () => {
    for (const { settings } of TOPICS.filter(({ settings }) => settings['cleanup.policy'] === 'compact')) {
      const changesMs = Number(settings['min.compaction.lag.ms']);
      const tombstonesMs = changesMs + Number(settings['delete.retention.ms']);
      expect([changesMs, tombstonesMs]).toEqual([7 * 24 * 3_600_000, 14 * 24 * 3_600_000]);
    }
  });
});

describeKafka('openTopics', (brokers) => {
  let topics: Topic[];
  beforeEach(() => {
    const run = randomUUID();
    topics = TOPICS.map(({ name, settings }) => ({ name: `${name}.${run}`, settings }));
  });
  // One replica, so that any cluster can hold them.
  const options = (others = {}) => ({
    brokers: [brokers()],
    partitions: 3,
    replication: 1,
    topics,
    ...others,
  });

  async function make(name: string, settings: Record<string, string>): Promise<void> {
    const configEntries = Object.entries(settings).map(([key, value]) => ({ name: key, value }));
    await withAdmin(brokers(), async (admin) => {
      const topic = { topic: name, numPartitions: 3, configEntries };
      await admin.createTopics({ topics: [topic], waitForLeaders: false });
      await waitUntilLed(admin, [name]);
    });
  }

  it('creates missing topics, accepts them later, and warns of a single replica', async () => {
    const warning = [expect.stringContaining('one replica')];
    expect(await openTopics(options())).toEqual(warning);
    expect(await openTopics(options())).toEqual(warning);
  });

  it('makes them once if several processes start together', async () => {
    await Promise.all([1, 2, 3].map(() => openTopics(options())));
    expect(await openTopics(options())).toHaveLength(1);
  });

  it('stops if the partitions are not LOG_PARTITIONS', async () => {
    await openTopics(options());
    const opened = openTopics(options({ partitions: 12 }));
    await expect(opened).rejects.toThrow(TopicsError);
    await expect(opened).rejects.toThrow(
      `${topics[0]!.name} has 3 partitions, but LOG_PARTITIONS is 12: set it to 3`,
    );
  });

  it('fails if records would not be retained, or a setting makes them less durable', async () => {
    await make(topics[0]!.name, { 'retention.ms': '604800000', 'unclean.leader.election.enable': 'true' });
    const [retention, unclean] = [
      `${topics[0]!.name} has retention.ms=604800000, but -1 is required`,
      'unclean.leader.election.enable=true, but false is required',
    ];
    await expect(openTopics(options())).rejects.toThrow(retention);
    await expect(openTopics(options())).rejects.toThrow(unclean);
    await expect(openTopics(options())).rejects.toThrow('kafka-configs --alter');
  });

  it('fails if more replicas are requested than there are brokers, or than the topics have', async () => {
    await expect(openTopics(options({ replication: 99 }))).rejects.toThrow('KAFKA_REPLICATION is 99');
    await openTopics(options());
    await expect(openTopics(options({ replication: 99 }))).rejects.toThrow(
      `${topics[0]!.name} has 1 replica(s), but 99 are required`,
    );
  });

  it('uses the replicas of the topics if none are requested, for any number of brokers', async () => {
    await openTopics(options());
    expect(await openTopics(options({ replication: undefined }))).toEqual([
      expect.stringContaining('one replica'),
    ]);
  });
});
