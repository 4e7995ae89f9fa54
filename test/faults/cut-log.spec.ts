import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { INTAKE_TOPIC } from '#libs/intake';
import { type KafkaCluster, startKafka } from '../../deploy/kafka/broker.mjs';
import { ApiClient, plainSignal } from '../support/api-client.ts';
import { bytesOfPartition, cutPartition } from '../support/cut-partition.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { describeOwnKafka, KAFKA_START_MS_MAX } from '../support/kafka.ts';
import { StartedProgram } from '../support/started-program.ts';
import { ADMIN, ADMIN_ENV, temporaryDataDir } from '../support/started-standalone.ts';
import { until } from '../support/until.ts';
import { expectVerified, posture } from '../support/verify.ts';

const SLOW_MS = KAFKA_START_MS_MAX;

describeOwnKafka('a Kafka log that loses acknowledged records while the programs run', () => {
  let kafka: KafkaCluster;
  let database: TestDatabase;
  let dataDir: string;
  let env: Record<string, string>;
  let gateway: StartedProgram;
  let projector: StartedProgram;
  let client: ApiClient;

  beforeAll(async () => {
    [database, dataDir] = await Promise.all([testDatabase(), temporaryDataDir()]);
    kafka = await startKafka({ directory: join(dataDir, 'kafka') });
    env = {
      DATABASE_URL: database.url,
      KAFKA_BROKERS: kafka.brokers,
      LOG_PARTITIONS: '1',
      DATA_DIR: dataDir,
      ...ADMIN_ENV,
    };
    gateway = await StartedProgram.start('gateway', env);
    projector = await StartedProgram.start('projector', env);
    client = await ApiClient.signIn(gateway.url, ADMIN);
  }, SLOW_MS);

  afterAll(async () => {
    await Promise.all([gateway, projector].map((program) => program?.stop()));
    await kafka?.kill();
    await database?.drop();
    if (dataDir) await rm(dataDir, { recursive: true, force: true });
  }, SLOW_MS);

  const send = async (name: string) => (await client.signal(plainSignal(name, 'web'))).status;
  const namesOf = async () => (await client.all('/api/v3/findings')).map(({ name }) => name).sort();
  const stopped = (words: string) =>
    new RegExp(`"level":"fatal".*partition 0 up to offset .*${words}.*posture replay`);

  it(
    'stops its partition, also after a restart, until a replay',
    async () => {
      const folder = join(dataDir, 'kafka');
      expect(await send('kept')).toBe(200);
      await until('its fold', async () => (await namesOf()).length === 1);
      const kept = await bytesOfPartition(folder, INTAKE_TOPIC, 0);
      for (const name of ['lost 1', 'lost 2']) expect(await send(name)).toBe(200);
      await until('their fold', async () => (await namesOf()).length === 3);
      const [node] = kafka.nodes;
      await node!.kill();
      await cutPartition(folder, INTAKE_TOPIC, 0, kept);
      await node!.start();
      await until('the stop', () =>
        stopped('(the log ends at|another record at offset)').test(projector.log),
      );

      for (const name of ['new 1', 'new 2', 'new 3'])
        await until(`an upload of ${name}`, async () => (await send(name)) === 200);
      await projector.stop();
      projector = await StartedProgram.start('projector', env);
      await until('the stop again', () => stopped('another record at offset').test(projector.log));
      expect(await namesOf()).toEqual(['kept', 'lost 1', 'lost 2']);

      await projector.stop();
      await posture(env, 'replay');
      projector = await StartedProgram.start('projector', env);
      await until('the fold of the log', async () => (await namesOf()).includes('new 3'));
      expect(await namesOf()).toEqual(['kept', 'new 1', 'new 2', 'new 3']);
      await expectVerified(env);
    },
    SLOW_MS,
  );
});
