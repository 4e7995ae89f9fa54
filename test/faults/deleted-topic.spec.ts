import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { SCORES_TOPIC } from '#libs/contracts';
import { type KafkaCluster, startKafka } from '../../deploy/kafka/broker.mjs';
import { connectKafka } from '../../libs/event-log/src/kafka/connect-kafka.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { describeOwnKafka, KAFKA_START_MS_MAX } from '../support/kafka.ts';
import { StartedProgram } from '../support/started-program.ts';
import { ADMIN_ENV, temporaryDataDir } from '../support/started-standalone.ts';
import { until } from '../support/until.ts';

const SLOW_MS = KAFKA_START_MS_MAX;

describeOwnKafka('an output topic', () => {
  let kafka: KafkaCluster;
  let database: TestDatabase;
  let dataDir: string;
  let scorer: StartedProgram;

  beforeAll(async () => {
    [database, dataDir] = await Promise.all([testDatabase(), temporaryDataDir()]);
    kafka = await startKafka({ directory: join(dataDir, 'kafka'), nodes: 1 });
    scorer = await StartedProgram.start('scorer', {
      DATABASE_URL: database.url,
      KAFKA_BROKERS: kafka.brokers,
      LOG_PARTITIONS: '2',
      DATA_DIR: dataDir,
      ...ADMIN_ENV,
    });
  }, SLOW_MS);

  afterAll(async () => {
    await scorer?.stop();
    await kafka?.kill();
    await database?.drop();
    if (dataDir) await rm(dataDir, { recursive: true, force: true });
  }, SLOW_MS);

  it(
    'that is deleted makes its publisher not ready, which names it, before there is something to publish',
    async () => {
      const ready = async () => (await fetch(`${scorer.url}/health/ready`)).status;
      await until('readiness', async () => (await ready()) === 200);
      const admin = connectKafka({ brokers: [kafka.brokers] }).admin();
      await admin.connect();
      try {
        await admin.deleteTopics({ topics: [SCORES_TOPIC] });
      } finally {
        await admin.disconnect();
      }
      await until('no readiness', async () => (await ready()) === 503);
      const { message, dependencies } = (await (await fetch(`${scorer.url}/health/ready`)).json()) as any;
      expect([message, dependencies.outputs]).toEqual(['not ready: outputs down', 'down']);
      expect(scorer.log).toMatch(/"level":"warn".*outputs is down: .*posture\.scores/);
    },
    SLOW_MS,
  );
});
