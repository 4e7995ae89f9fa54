import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeChange, encodeIntake, FINDINGS_TOPIC } from '#libs/contracts';
import { DAY_MS, readingAt } from '#libs/domain';
import { type EventLog, KafkaEventLog, openTopics, PostgresEventLog } from '#libs/event-log';
import { INTAKE_TOPIC, openLog } from '#libs/intake';
import { type KafkaCluster, startKafka } from '../../deploy/kafka/broker.mjs';
import type { ApiClient } from '../support/api-client.ts';
import { divide } from '../support/citus-cluster.ts';
import { emptyDatabase, type TestDatabase, testDatabase } from '../support/database.ts';
import { foldedRows } from '../support/folded-rows.ts';
import { describeOwnKafka, KAFKA_START_MS_MAX } from '../support/kafka.ts';
import { describeInRun } from '../support/part-of-run.ts';
import { entity, signal, upload } from '../support/scenario.ts';
import { StartedStandalone, temporaryDataDir } from '../support/started-standalone.ts';
import { citusUrls } from '../support/test-server.ts';
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

const retain = (admin: ApiClient, days: number) =>
  admin.request(
    'PATCH',
    '/api/v3/settings',
    JSON.stringify({ historyRetentionDays: { va: days } }),
    JSON_BODY,
  );

const environment = ({ url }: TestDatabase): Record<string, string> => ({
  DATABASE_URL: url,
  LOG_PARTITIONS: `${PARTITIONS}`,
  POSTURE_SECRET_KEY: 'of-a-test-'.repeat(4),
});

const numberIn =
  ({ pool }: TestDatabase) =>
  async (query: string): Promise<number> =>
    Number((await pool.query(query)).rows[0].n);

const REMOVED = 'select coalesce(sum(removed), 0) as n from history_trims';

const untilRemoved = (database: TestDatabase, admins: ApiClient[], changes: number) =>
  until(`${changes} changes are removed`, async () => {
    await Promise.all(admins.map(run));
    return (await numberIn(database)(REMOVED)) === changes;
  });

const untilFolded = (database: TestDatabase) =>
  until('the past is folded', async () => {
    const changes = await numberIn(database)('select count(*) as n from finding_history');
    return changes >= MACHINES * CHANGED.length;
  });

interface Place {
  database: TestDatabase;
  folder: string;
  kafka?: Record<string, string>;
  log: EventLog;
}

/** Two of all programs; one is killed while it removes rows. */
async function killedWhileTrimming({ database, folder, kafka = {}, log }: Place): Promise<void> {
  const { pool } = database;
  const count = numberIn(database);
  await appendPast(log, database);
  const env = { ...environment(database), ...kafka };
  const start = (name: string) => StartedStandalone.start(join(folder, name), env);
  const services = [await start('a'), await start('b')];
  const holder = await pool.connect();
  try {
    await untilFolded(database);
    const before = await count('select count(*) as n from finding_history');
    await holder.query('begin');
    // The rows of a window are deleted in the same statement: it waits with them.
    await holder.query('lock table history_summaries in exclusive mode');
    const admin = await services[0]!.client();
    expect((await retain(admin, 30)).status).toBe(200);
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
    await untilRemoved(database, admins, MACHINES * (CHANGED.length - 1));
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

/** A third of the runs. */
const ON_KAFKA = { shares: 3, turn: 2, as: describeOwnKafka } as const;

describeInRun(ON_KAFKA, 'a trim of the history that kill -9 stopped, on Kafka', () => {
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

/** Key → version and state of the last record of a finding in its topic. */
async function lastPublished(log: EventLog): Promise<Map<string, unknown>> {
  const last = new Map<string, unknown>();
  for (let partition = 0; partition < PARTITIONS; partition += 1) {
    for await (const records of log.read(FINDINGS_TOPIC, partition, 0, Number.MAX_SAFE_INTEGER)) {
      for (const { key, value } of records) {
        const event = decodeChange(value);
        if (event.kind !== 'finding') throw new Error(`${event.kind} in ${FINDINGS_TOPIC}`);
        last.set(key, { version: event.changed.version, state: event.changed.state });
      }
    }
  }
  return last;
}

describe('a site that is restored after its history was trimmed', () => {
  let site: TestDatabase;
  let restored: TestDatabase;
  let folder: string;

  beforeAll(async () => {
    [site, restored, folder] = await Promise.all([testDatabase(), emptyDatabase(), temporaryDataDir()]);
  });
  afterAll(async () => {
    await Promise.all([site.drop(), restored.drop()]);
    await rm(folder, { recursive: true, force: true });
  });

  it('publishes the last change of each finding, and trims its history further (R-CHG-2, R-RET-6)', async () => {
    const [backup, dataDir] = [join(folder, 'backup'), join(folder, 'data')];
    const log = new PostgresEventLog({ url: site.url, partitions: PARTITIONS });
    await appendPast(log, site).finally(() => log.close());
    const old = await StartedStandalone.start(dataDir, environment(site));
    try {
      await untilFolded(site);
      const admin = await old.client();
      expect((await retain(admin, 120)).status).toBe(200);
      await untilRemoved(site, [admin], MACHINES);
    } finally {
      await old.stop();
    }
    await posture({ ...environment(site), DATA_DIR: dataDir }, 'backup', backup);
    await posture({ ...environment(restored), DATA_DIR: dataDir }, 'restore', backup);
    if (citusUrls()) await divide(restored.url);
    expect(await numberIn(restored)(REMOVED)).toBe(MACHINES);

    const service = await StartedStandalone.start(dataDir, environment(restored));
    const topics = new PostgresEventLog({ url: restored.url, partitions: PARTITIONS });
    try {
      const { rows } = await restored.pool.query('select id, version, state from findings');
      const states = new Map(rows.map(({ id, ...last }) => [id, last]));
      expect(states.size).toBe(MACHINES);
      await until('the last change of each finding is published', async () =>
        isDeepStrictEqual(await lastPublished(topics), states),
      );
      const admin = await service.client();
      expect((await retain(admin, 30)).status).toBe(200);
      await untilRemoved(restored, [admin], MACHINES * (CHANGED.length - 1));
    } finally {
      await topics.close();
      await service.stop();
    }
    await expectVerified({ ...environment(restored), DATA_DIR: dataDir });
  }, 240_000);
});
