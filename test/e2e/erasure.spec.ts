import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { KafkaEventLog } from '#libs/event-log';
import { type KafkaCluster, startKafka } from '../../deploy/kafka/broker.mjs';
import { type ApiClient, plainSignal } from '../support/api-client.ts';
import { emptyDatabase, type TestDatabase } from '../support/database.ts';
import { describeOwnKafka, KAFKA_START_MS_MAX } from '../support/kafka.ts';
import { untilLockWait } from '../support/lock-wait.ts';
import { describeInRun } from '../support/part-of-run.ts';
import { StartedStandalone, temporaryDataDir } from '../support/started-standalone.ts';
import {
  filesWithTraces,
  type Traces,
  tablesWithTraces,
  topicsWithTraces,
  tracesOf,
} from '../support/traces.ts';
import { until } from '../support/until.ts';
import { expectVerified } from '../support/verify.ts';

const JSON_BODY = { 'content-type': 'application/json' };
const ENTITY = 'zqkilled';
const PARTITIONS = 2;
const traces = tracesOf([ENTITY]);

let database: TestDatabase;
let dataDir: string;
let env: Record<string, string>;
let service: StartedStandalone;
let admin: ApiClient;

beforeAll(async () => {
  [database, dataDir] = await Promise.all([emptyDatabase(), temporaryDataDir()]);
  env = {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    LOG_PARTITIONS: `${PARTITIONS}`,
    SEAL_PERSONAL_TEXTS: 'true',
    ERASURE_LIST: join(dataDir, 'erasures.txt'),
  };
  await start();
});
afterAll(async () => {
  await service?.stop();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(): Promise<void> {
  service = await StartedStandalone.start(dataDir, env);
  admin = await service.client();
}

/** Returns the id of the asset. */
async function report(user: string): Promise<string> {
  const given = { entity: { type: 'user', name: user }, description: `about ${user}` };
  const { status, body } = await admin.signal(plainSignal('leaked password', '', given));
  expect(status).toBe(200);
  await admin.folded(body.uploadId);
  const [asset] = await admin.all(`/api/v3/assets?name=${encodeURIComponent(user)}`);
  return asset.id;
}

/** Erases a subject, kills the service where it waits for a lock, and starts it again. */
async function killedAt(lock: string, user: string): Promise<void> {
  const holder = await database.pool.connect();
  try {
    await holder.query('begin');
    await holder.query(lock);
    const given = JSON.stringify({ subject: { type: 'user', name: user }, reason: 'a request' });
    const answer = admin.request('POST', '/api/v3/erasures', given, JSON_BODY).catch(() => null);
    await untilLockWait('the erasure waits for the lock', database);
    await service.kill();
    await answer;
    // What the killed process had sent is not executed.
    await holder.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`,
    );
  } finally {
    await holder.query('rollback');
    holder.release();
  }
}

const keysLeft = async (): Promise<number> =>
  (await database.pool.query('select 1 from subject_keys where wrapped is not null')).rowCount!;

it.each([
  ['before the event is folded', 'lock table acts in exclusive mode'],
  ['after the event, before the key is destroyed', 'lock table subject_keys in share row exclusive mode'],
])('an erasure that kill -9 stopped %s is completed at the next start (R-ERASE-2)', async (place, lock) => {
  const user = `${place.split(' ')[0]}.${ENTITY}@acme.com`;
  const id = await report(user);
  const left = await keysLeft();
  await killedAt(lock, user);
  expect(await keysLeft()).toBe(left);
  await start();
  await until('the key is destroyed', async () => (await keysLeft()) === left - 1);
  await until('the asset is erased', async () => {
    const [finding] = await admin.all(`/api/v3/findings?assetId=${id}`);
    const { items } = await admin.get(`/api/v3/findings/${finding.id}/history`);
    return items.some(({ change }: { change: string }) => change === 'erased');
  });
  expect(await admin.get(`/api/v3/assets/${id}`)).toMatchObject({ name: 'erased', aliases: ['erased'] });
  const [erasure] = await admin.all('/api/v3/erasures');
  const acts = await admin.all('/api/v3/audit?action=subject.erased');
  expect(acts.filter(({ target }) => target === erasure.id)).toHaveLength(1);
  expect(await tablesWithTraces(database.pool, traces)).toEqual([]);
  expect(await filesWithTraces(dataDir, traces)).toEqual([]);
  expect(traces.in(service.log)).toEqual([]);
  await expectVerified(env);
});

/** A third of the runs. */
const ON_KAFKA = { shares: 3, turn: 1, as: describeOwnKafka } as const;

describeInRun(ON_KAFKA, 'a marker in the texts of a user, on Kafka', () => {
  let kafka: KafkaCluster;
  let onKafka: TestDatabase;
  let folder: string;
  let started: StartedStandalone | undefined;

  beforeAll(async () => {
    [folder, onKafka] = await Promise.all([temporaryDataDir(), emptyDatabase()]);
    kafka = await startKafka({ directory: join(folder, 'kafka'), nodes: 1 });
  }, KAFKA_START_MS_MAX);
  afterAll(async () => {
    await started?.stop();
    await kafka?.kill();
    await onKafka.drop();
    await rm(folder, { recursive: true, force: true });
  }, KAFKA_START_MS_MAX);

  it('is in no topic and no file of the broker, before and after the erasure', async () => {
    const dataDirOnKafka = join(folder, 'data');
    started = await StartedStandalone.start(dataDirOnKafka, {
      ...env,
      DATABASE_URL: onKafka.url,
      DATA_DIR: dataDirOnKafka,
      ERASURE_LIST: join(folder, 'erasures.txt'),
      KAFKA_BROKERS: kafka.brokers,
    });
    admin = await started.client();
    const user = `kafka.${ENTITY}@acme.com`;
    await report(user);
    const searchedTopics = async (searched: Traces) => {
      const log = new KafkaEventLog({ brokers: kafka.brokers.split(','), partitions: PARTITIONS });
      try {
        return await topicsWithTraces(log, searched);
      } finally {
        await log.close();
      }
    };
    const published = async () => {
      const { read } = await searchedTopics(traces);
      return [read['posture.assets']!, read['posture.findings']!];
    };
    await until('the changes are published', async () => (await published()).every((count) => count > 0));
    const [assets, findings] = (await published()) as [number, number];
    expect((await searchedTopics(traces)).found).toEqual([]);
    const given = JSON.stringify({ subject: { type: 'user', name: user }, reason: 'a request' });
    expect((await admin.request('POST', '/api/v3/erasures', given, JSON_BODY)).status).toBe(200);
    await until('the changes of the erasure are published', async () => {
      const [assetsNow, findingsNow] = (await published()) as [number, number];
      return assetsNow > assets && findingsNow > findings;
    });
    expect((await searchedTopics(traces)).found).toEqual([]);
    // Also what the broker has written of transactions, indexes and its own topics.
    expect(await filesWithTraces(folder, traces)).toEqual([]);
    expect(await tablesWithTraces(onKafka.pool, traces)).toEqual([]);
    expect(traces.in(started.log)).toEqual([]);
    // The search reads what it searches: the name of a finding is not sealed.
    const ofFinding = tracesOf(['leaked password']);
    expect((await searchedTopics(ofFinding)).found.sort()).toEqual(['posture.findings', 'posture.intake']);
    expect(await filesWithTraces(join(folder, 'kafka'), ofFinding)).not.toEqual([]);
  }, 300_000);
});
