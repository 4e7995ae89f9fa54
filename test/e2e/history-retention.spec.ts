import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeIntake } from '#libs/contracts';
import { DAY_MS, readingAt } from '#libs/domain';
import { type EventLog, KafkaEventLog, openTopics, PostgresEventLog } from '#libs/event-log';
import { INTAKE_TOPIC, openLog } from '#libs/intake';
import { type KafkaCluster, startKafka } from '../../deploy/kafka/broker.mjs';
import type { ApiClient } from '../support/api-client.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { foldedRows } from '../support/folded-rows.ts';
import { describeOwnKafka, KAFKA_START_MS_MAX } from '../support/kafka.ts';
import { entity, signal, upload } from '../support/scenario.ts';
import { StartedStandalone, temporaryDataDir } from '../support/started-standalone.ts';
import { until } from '../support/until.ts';
import { expectVerified, posture } from '../support/verify.ts';

const PARTITIONS = 2;
const MACHINES = 12;
/** Days ago: all but the last change of each finding are older than the setting, and superseded before it. */
const CHANGED = [200, 150, 100, 50];
const JSON_BODY = { 'content-type': 'application/json' };
const NOW = Date.now();

/** What uploads of the past have left in the log. */
async function appendPast(log: EventLog, { db }: TestDatabase): Promise<void> {
  await openLog(db, log, () => readingAt(NOW - 365 * DAY_MS));
  for (const [n, days] of CHANGED.entries()) {
    const at = NOW - days * DAY_MS;
    const lasting = { expiresAt: NOW + 365 * DAY_MS, retainUntil: NOW + 365 * DAY_MS };
    const records = Array.from({ length: MACHINES }, (_, machine) => {
      const name = `web${machine}`;
      const given = { entity: entity({ name }), ...lasting };
      const signals = [signal('open port', n % 2 === 0 ? 'fail' : 'pass', given)];
      return upload(100 * n + machine, at, signals, { entityKey: `machine:${name}` });
    }).flat();
    await log.append(
      INTAKE_TOPIC,
      records.map((event) => ({ key: event.envelope.entityKey, value: encodeIntake(event) })),
    );
  }
}

/** Without it, the service looks once an hour. */
async function run(admin: ApiClient): Promise<void> {
  expect((await admin.request('POST', '/api/v3/history-retention/runs')).status).toBe(200);
}

interface Place {
  database: TestDatabase;
  folder: string;
  kafka?: Record<string, string>;
  log: EventLog;
}

/** Two of all programs; one is killed while it removes rows. */
async function killedWhileTrimming({ database, folder, kafka = {}, log }: Place): Promise<void> {
  const { pool } = database;
  const count = async (query: string) => Number((await pool.query(query)).rows[0].n);
  await appendPast(log, database);
  const env = {
    DATABASE_URL: database.url,
    LOG_PARTITIONS: `${PARTITIONS}`,
    POSTURE_SECRET_KEY: 'of-a-test-'.repeat(4),
    ...kafka,
  };
  const start = (name: string) => StartedStandalone.start(join(folder, name), env);
  const services = [await start('a'), await start('b')];
  const holder = await pool.connect();
  try {
    await until('the past is folded', async () => {
      const changes = await count('select count(*) as n from finding_history');
      return changes >= MACHINES * CHANGED.length;
    });
    const before = await count('select count(*) as n from finding_history');
    await holder.query('begin');
    // The rows of a window are deleted in the same statement: it waits with them.
    await holder.query('lock table history_summaries in exclusive mode');
    const admin = await services[0]!.client();
    const days = JSON.stringify({ historyRetentionDays: { va: 30 } });
    expect((await admin.request('PATCH', '/api/v3/settings', days, JSON_BODY)).status).toBe(200);
    await until('a trim waits for the lock', async () => {
      await run(admin);
      const { rows } = await pool.query(
        `select 1 from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query ~ 'history_(trims|summaries)'`,
      );
      return rows.length > 0;
    });
    for (const service of services) await service.kill();
    // What the killed processes had sent is not executed.
    await holder.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`,
    );
    await holder.query('rollback');
    expect(await count('select count(*) as n from history_trims where removed > 0')).toBe(0);
    expect(await count('select count(*) as n from finding_history')).toBe(before);

    services.splice(0, 2, await start('a'), await start('b'));
    const admins = await Promise.all(services.map((service) => service.client()));
    await until('each partition is trimmed', async () => {
      await Promise.all(admins.map(run));
      const removed = await count('select coalesce(sum(removed), 0) as n from history_trims');
      return removed === MACHINES * (CHANGED.length - 1);
    });
    expect(await count('select sum(changes) as n from history_summaries')).toBe(
      MACHINES * (CHANGED.length - 1),
    );
  } finally {
    holder.release();
    for (const service of services) await service.stop();
  }
  const on = { ...env, DATA_DIR: join(folder, 'a') };
  await expectVerified(on);
  // A fold of the same log that nothing interrupted.
  const rows = await foldedRows(database);
  await posture(on, 'replay');
  expect(await foldedRows(database)).toEqual(rows);
}

describe('a trim of the history that kill -9 stopped, with two of all programs', () => {
  let database: TestDatabase;
  let folder: string;

  beforeAll(async () => {
    [database, folder] = await Promise.all([testDatabase(), temporaryDataDir()]);
  });
  afterAll(async () => {
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  it('is completed after the next start, once, with the rows of an uninterrupted fold (R-RET-7)', async () => {
    const log = new PostgresEventLog({ url: database.url, partitions: PARTITIONS });
    await killedWhileTrimming({ database, folder, log }).finally(() => log.close());
  }, 300_000);
});

describeOwnKafka('a trim of the history that kill -9 stopped, on Kafka', () => {
  let database: TestDatabase;
  let folder: string;
  let cluster: KafkaCluster;

  beforeAll(async () => {
    [database, folder] = await Promise.all([testDatabase(), temporaryDataDir()]);
    cluster = await startKafka({ directory: join(folder, 'kafka'), nodes: 1 });
  }, KAFKA_START_MS_MAX);
  afterAll(async () => {
    await cluster?.kill();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  }, KAFKA_START_MS_MAX);

  it('is completed after the next start, once, with the rows of an uninterrupted fold (R-RET-7)', async () => {
    const topics = { brokers: cluster.brokers.split(','), partitions: PARTITIONS };
    await openTopics(topics);
    const log = new KafkaEventLog(topics);
    const kafka = { KAFKA_BROKERS: cluster.brokers };
    await killedWhileTrimming({ database, folder, kafka, log }).finally(() => log.close());
  }, 240_000);
});
