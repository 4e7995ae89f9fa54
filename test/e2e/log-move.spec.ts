import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FINDINGS_TOPIC } from '#libs/contracts';
import { openDatabase, runningInstanceUrl } from '#libs/database';
import { KafkaEventLog, PostgresEventLog } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import { FOLDED_TABLES } from '#libs/tables';
import { type KafkaCluster, startKafka } from '../../deploy/kafka/broker.mjs';
import { ApiClient, plainSignal, zipOf } from '../support/api-client.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { describeOwnKafka } from '../support/kafka.ts';
import { StartedProgram } from '../support/started-program.ts';
import {
  ADMIN,
  ADMIN_ENV,
  DEFAULT_PARTITIONS,
  StartedStandalone,
  temporaryDataDir,
} from '../support/started-standalone.ts';
import { until } from '../support/until.ts';
import { expectVerified, posture } from '../support/verify.ts';

const PARTITIONS = 12;
const SIGNALS = 300;
const HOSTS = 30;

type Env = Record<string, string>;

const bundle = (name: string, status = 'fail') =>
  zipOf(
    Object.fromEntries(
      Array.from({ length: SIGNALS }, (_, i) => [
        `${i}.json`,
        plainSignal(`${name} ${i}`, `host${i % HOSTS}`, {
          securityContext: {
            type: 'va',
            status: { complianceStatus: status },
            severity: { type: 'cvss', value: 5 },
          },
        }),
      ]),
    ),
  );

async function uploaded(url: string, zip: Buffer): Promise<ApiClient> {
  const client = await ApiClient.signIn(url, ADMIN);
  const { status, body } = await client.zip(zip);
  expect(status).toBe(200);
  expect(await client.folded(body.uploadId)).toMatchObject({ folded: SIGNALS });
  return client;
}

/** An act on all findings, as its preview has announced it. */
async function actOnAll(client: ApiClient, act: object): Promise<void> {
  const post = async (body: object) => {
    const path = '/api/v3/findings/acts';
    const json = { 'content-type': 'application/json' };
    const answer = await client.request('POST', path, JSON.stringify({ ...body, ...act }), json);
    expect(answer).toMatchObject({ status: 200, body: { matching: SIGNALS, refused: [] } });
    return answer.body;
  };
  const filter = { name: 'finding' };
  const preview = await post({ filter, dryRun: true });
  const outcome = await post({ filter, expected: preview.matching });
  expect(preview.done).toBe(SIGNALS);
  expect(outcome.done + outcome.pending).toBe(SIGNALS);
}

/** Every row that was folded, as text. */
async function rowsOf(url: string): Promise<Record<string, string[]>> {
  const { pool, close } = openDatabase(url, { max: 1 });
  try {
    const rows: Record<string, string[]> = {};
    for (const { name: table } of FOLDED_TABLES) {
      const found = await pool.query<{ row: string }>(`select t::text as row from ${table} t order by 1`);
      rows[table] = found.rows.map(({ row }) => row);
    }
    return rows;
  } finally {
    await close();
  }
}

async function untilFolded(url: string, ends: () => Promise<number[]>): Promise<void> {
  const { pool, close } = openDatabase(url, { max: 1 });
  try {
    await until('the fold at the end of the log', async () => {
      const { rows } = await pool.query('select next_offset from projection_positions order by partition');
      return JSON.stringify(rows.map(({ next_offset }) => next_offset)) === JSON.stringify(await ends());
    });
  } finally {
    await close();
  }
}

describe('a site moved to another machine by its log', () => {
  it('has every row again, from a stopped service and into a folder that is new', async () => {
    const old = await StartedStandalone.start(undefined, DEFAULT_PARTITIONS);
    const target = await temporaryDataDir();
    try {
      await uploaded(old.url, await bundle('finding'));
      await uploaded(old.url, await bundle('finding', 'pass'));
      const rows = await rowsOf((await runningInstanceUrl(old.dataDir))!);
      expect(await old.stop()).toBe(0);

      const file = join(target, 'site.posture-log');
      expect(await posture({ DATA_DIR: old.dataDir }, 'export-log', file)).toContain('Exported');
      expect(await posture({ DATA_DIR: target }, 'import-log', file)).toContain('Imported');

      const moved = await StartedStandalone.start(target, DEFAULT_PARTITIONS);
      const url = (await runningInstanceUrl(target))!;
      const log = new PostgresEventLog({ url, partitions: PARTITIONS });
      await untilFolded(url, () => log.ends(INTAKE_TOPIC));
      await log.close();
      expect(await rowsOf(url)).toEqual(rows);
      await uploaded(moved.url, await bundle('next'));
      await expectVerified({ DATA_DIR: target });
      expect(await moved.stop()).toBe(0);
    } finally {
      await old.stopAndRemove();
      await rm(target, { recursive: true, force: true });
    }
  }, 180_000);
});

describeOwnKafka('a site moved from the log in its database to Kafka, and back', () => {
  let dataDir: string;
  let kafka: KafkaCluster;
  const databases: TestDatabase[] = [];

  beforeAll(async () => {
    dataDir = await temporaryDataDir();
    kafka = await startKafka({ directory: join(dataDir, 'kafka') });
    databases.push(await testDatabase(), await testDatabase());
  }, 300_000);
  afterAll(async () => {
    await Promise.all(databases.map((database) => database.drop()));
    await kafka?.stop();
    await rm(dataDir, { recursive: true, force: true });
  }, 60_000);

  const envOf = (database: number, more: Env = {}): Env => ({
    DATABASE_URL: databases[database]!.url,
    DATA_DIR: dataDir,
    ...ADMIN_ENV,
    ...more,
  });

  /** While gateway and projector run apart. */
  async function running<T>(env: Env, work: (url: string) => Promise<T>): Promise<T> {
    const programs: StartedProgram[] = [];
    try {
      for (const app of ['gateway', 'projector']) programs.push(await StartedProgram.start(app, env));
      const result = await work(programs[0]!.url);
      await expectVerified(env);
      return result;
    } finally {
      const codes = await Promise.all(programs.map((program) => program.stop()));
      expect(codes).toEqual(codes.map(() => 0));
    }
  }

  async function kafkaEnds(): Promise<number[]> {
    const log = new KafkaEventLog({ brokers: kafka.brokers.split(','), partitions: PARTITIONS });
    try {
      return await log.ends(INTAKE_TOPIC);
    } finally {
      await log.close();
    }
  }

  /** All changes, also from before the move. */
  async function untilPublished({ pool }: TestDatabase): Promise<void> {
    const log = new KafkaEventLog({ brokers: kafka.brokers.split(','), partitions: PARTITIONS });
    const published = async () => {
      let records = 0;
      for (const [partition, end] of (await log.ends(FINDINGS_TOPIC)).entries()) {
        for await (const batch of log.read(FINDINGS_TOPIC, partition, 0, end)) records += batch.length;
      }
      return records;
    };
    try {
      const { rows } = await pool.query('select count(*)::int as changes from finding_history');
      await until('all changes in the topic', async () => (await published()) === rows[0].changes);
    } finally {
      await log.close();
    }
  }

  it('does not start on an empty Kafka, continues after the import, and gives the same rows from scratch', async () => {
    const [site, fresh] = databases as [TestDatabase, TestDatabase];
    const onKafka = { KAFKA_BROKERS: kafka.brokers };
    let untriaged = '';
    await running(envOf(0), async (url) => {
      const client = await uploaded(url, await bundle('finding'));
      const { items } = await client.get('/api/v3/findings?sort=-updatedAt&limit=1');
      untriaged = items[0].updatedAt;
      await actOnAll(client, { assign: { assignee: { type: 'team', name: 'blue' } } });
    });
    await expect(StartedProgram.start('gateway', envOf(0, onKafka))).rejects.toThrow(/posture import-log/);

    const toKafka = join(dataDir, 'to-kafka.posture-log');
    await posture(envOf(0), 'export-log', toKafka);
    const imported = await posture(envOf(0, onKafka), 'import-log', toKafka);
    expect(imported).toMatch(new RegExp(`^Imported {3}${2 * SIGNALS + PARTITIONS} records`));
    await running(envOf(0, onKafka), async (url) => {
      const client = await uploaded(url, await bundle('finding', 'pass'));
      const findings = await client.all('/api/v3/findings?name=finding');
      expect(findings).toHaveLength(SIGNALS);
      expect(findings.every(({ version }) => version === 3)).toBe(true);
      await actOnAll(client, { due: { due: '2026-06-30', reason: 'law' } });
      await actOnAll(client, { comments: { text: 'moved to Kafka' } });
      await untilFolded(site.url, kafkaEnds);
      await untilPublished(site);
    });

    const back = join(dataDir, 'back.posture-log');
    expect(await posture(envOf(0, onKafka), 'export-log', back)).toContain(
      `${5 * SIGNALS + PARTITIONS} records`,
    );
    await posture(envOf(1), 'import-log', back);
    await running(envOf(1), async (url) => {
      await untilFolded(fresh.url, kafkaEnds);
      expect(await rowsOf(fresh.url)).toEqual(await rowsOf(site.url));
      const client = await uploaded(url, await bundle('after the move'));
      const found = await client.all('/api/v3/findings?assignee=blue');
      expect(found).toHaveLength(SIGNALS);
      const path = `/api/v3/findings/${found[0].id}`;
      expect(await client.get(path)).toMatchObject({
        due: '2026-06-30T23:59:59.999Z',
        dueReason: 'law',
        comments: 1,
      });
      expect(await client.get(`${path}?asOf=${untriaged}`)).toMatchObject({ assignee: null, due: null });
      expect(await client.all(`${path}/comments`)).toMatchObject([{ by: 'admin', text: 'moved to Kafka' }]);
    });
  }, 240_000);

  it('rejects an export that the site has gone on from since', async () => {
    // The log in the database has the records of the first export, and none that Kafka got after it.
    const older = join(dataDir, 'to-kafka.posture-log');
    const refused = posture(envOf(0, { KAFKA_BROKERS: kafka.brokers }), 'import-log', older);
    await expect(refused).rejects.toMatchObject({
      code: 2,
      message: expect.stringMatching(/was folded up to partition \d+, offset \d+, but the file ends at/),
    });
  });
});
