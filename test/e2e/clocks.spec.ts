import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Database, openDatabase, runningInstanceUrl } from '#libs/database';
import { ApiClient, plainSignal, zipOf } from '../support/api-client.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { describeFakeClocks, FakeClock } from '../support/fake-clock.ts';
import { StartedProgram } from '../support/started-program.ts';
import { ADMIN, ADMIN_ENV, StartedStandalone, temporaryDataDir } from '../support/started-standalone.ts';
import { until } from '../support/until.ts';
import { expectVerified, startedPosture } from '../support/verify.ts';

const FINDINGS = 24;
const HOSTS = 8;
/** The sweep runs every 30 s: by that time it would have retired findings that have expired by a wrong clock. */
const SWEPT_MS = 35_000;
const TEST_MS = 480_000;
const NOTICED_MS_MAX = 120_000;

const bundle = (name: string) =>
  zipOf(
    Object.fromEntries(
      Array.from({ length: FINDINGS }, (_, i) => [
        `${i}.json`,
        plainSignal(`${name} ${i}`, `host${i % HOSTS}`),
      ]),
    ),
  );

/** Uploads as many findings, and waits until they are in the tables. */
async function upload(client: ApiClient, name: string): Promise<void> {
  const { status, body } = await client.zip(await bundle(name));
  expect({ status, body }).toMatchObject({ status: 200 });
  await client.folded(body.uploadId);
}

async function readiness(url: string): Promise<{ status: number; message?: string }> {
  const response = await fetch(`${url}/health/ready`);
  const { message } = (await response.json()) as { message?: string };
  return { status: response.status, ...(message !== undefined && { message }) };
}

const untilNotReady = (url: string, why: RegExp) =>
  until(
    `not ready: ${why}`,
    async () => {
      const { status, message } = await readiness(url);
      return status === 503 && why.test(message ?? '');
    },
    NOTICED_MS_MAX,
  );

const untilReady = (url: string) =>
  until('ready', async () => (await readiness(url)).status === 200, NOTICED_MS_MAX);

async function untilSwept(since: number): Promise<void> {
  await until('a round of the sweep', () => performance.now() - since > SWEPT_MS, 2 * SWEPT_MS);
}

/** As stored in the tables: reads would apply expiry by the reader's clock. */
async function stored({ pool }: Pick<Database, 'pool'>) {
  const { rows } = await pool.query<{ state: string; n: number }>(
    'select state, count(*) as n from findings group by state order by state',
  );
  const deleted = await pool.query<{ n: number }>(
    'select count(*) as n from assets where deleted_at is not null',
  );
  return { states: Object.fromEntries(rows.map(({ state, n }) => [state, n])), deleted: deleted.rows[0]!.n };
}

const trusted = async (url: string): Promise<string | undefined> =>
  /^posture_clock_trusted (\d)$/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1];

/** Readable for PostgreSQL's user too. */
async function clockFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'posture-clock-'));
  await chmod(folder, 0o755);
  return folder;
}

describeFakeClocks('a program whose clock is wrong', () => {
  let database: TestDatabase;
  let dataDir: string;
  let folder: string;
  let env: Record<string, string>;
  const programs: StartedProgram[] = [];
  let client: ApiClient;

  const start = async (app: string, more: Record<string, string> = {}) => {
    const program = await StartedProgram.start(app, { ...env, ...more });
    programs.push(program);
    return program;
  };

  beforeAll(async () => {
    database = await testDatabase();
    dataDir = await temporaryDataDir();
    folder = await clockFolder();
    env = { DATABASE_URL: database.url, DATA_DIR: dataDir, ...ADMIN_ENV };
    const gateway = await start('gateway');
    await start('projector');
    client = await ApiClient.signIn(gateway.url, ADMIN);
    await upload(client, 'known before');
  }, TEST_MS);

  afterAll(async () => {
    await Promise.all(programs.map((program) => program.stop()));
    await database?.drop();
    for (const path of [dataDir, folder]) await rm(path, { recursive: true, force: true });
  }, 60_000);

  it(
    'a second projector 120 days ahead folds, but retires and deletes nothing, and is not ready',
    async () => {
      const clock = await FakeClock.at(folder, '+120d');
      const projector = await start('projector', clock.env);
      await untilNotReady(projector.url, /clock down \(the clock of this program, .* is 120 days ahead of/);
      expect(await trusted(projector.url)).toBe('0');
      await upload(client, 'known meanwhile');
      await untilSwept(performance.now());
      expect(await stored(database)).toEqual({ states: { Failed: 2 * FINDINGS }, deleted: 0 });
      expect(projector.log.match(/clock not trusted, uploads and expirations stopped/g)).toHaveLength(1);
      await clock.set('+0');
      await untilReady(projector.url);
      await projector.stop();
      await expectVerified(env);
    },
    TEST_MS,
  );

  it(
    'a gateway two hours ahead answers uploads and acts with 503, and stores nothing until its clock is right',
    async () => {
      const clock = await FakeClock.at(folder, '+2h');
      const gateway = await start('gateway', clock.env);
      await untilNotReady(gateway.url, /is 2 hours ahead of the database's/);
      const before = await stored(database);
      const ahead = await ApiClient.signIn(gateway.url, ADMIN);
      const answers = [
        await ahead.zip(await bundle('refused')),
        await ahead.zip(await bundle('refused'), { 'idempotency-key': 'one' }),
        await ahead.zip(await bundle('refused'), {}, '?dryRun=true'),
        await ahead.signal(plainSignal('refused', 'host1')),
        await ahead.request('PATCH', '/api/v3/settings', JSON.stringify({ retentionDays: 30 }), {
          'content-type': 'application/json',
        }),
      ];
      for (const { status, body, headers } of answers) {
        expect({ status, message: body.message }).toEqual({
          status: 503,
          message: expect.stringMatching(
            /^no data was stored: the clock of this program, .* is 2 hours ahead/,
          ),
        });
        expect(headers.get('retry-after')).toBe('5');
      }
      expect(await stored(database)).toEqual(before);
      await clock.set('+0');
      await untilReady(gateway.url);
      await upload(await ApiClient.signIn(gateway.url, ADMIN), 'taken');
      await gateway.stop();
      await expectVerified(env);
    },
    TEST_MS,
  );
});

describeFakeClocks('a standalone whose database shares its wrong clock', () => {
  /** One for all: each test leaves it with the right clock, but for the last one, whose clock is confirmed. */
  let dataDir: string;
  let folder: string;
  let clock: FakeClock;
  let service: StartedStandalone;
  let database: Database;

  beforeAll(async () => {
    dataDir = await temporaryDataDir();
    folder = await clockFolder();
    clock = await FakeClock.at(folder);
    await start();
    await upload(await service.client(), 'known before');
  }, TEST_MS);

  afterAll(async () => {
    await stop();
    for (const path of [dataDir, folder]) await rm(path, { recursive: true, force: true });
  }, 60_000);

  async function start(): Promise<void> {
    service = await StartedStandalone.start(dataDir, clock.envOfAll);
    database = openDatabase((await runningInstanceUrl(dataDir))!, { max: 2 });
  }

  async function stop(): Promise<void> {
    await database?.close();
    await service?.stop();
  }

  const command = (...args: string[]) => startedPosture({ DATA_DIR: dataDir, ...clock.env }, ...args);

  it(
    'keeps the order of its events when its clock is set back by an hour',
    async () => {
      await clock.set('-1h');
      await untilNotReady(service.url, /behind the last time on the log, .*`posture clock mend`/);
      const refused = await (await service.client()).signal(plainSignal('refused', 'host1'));
      expect(refused.status).toBe(503);
      await clock.set('+0');
      await untilReady(service.url);
      await upload(await service.client(), 'known after');
      const { rows } = await database.pool.query(
        `select partition, sequence from (
           select partition, sequence, at, lag(at) over (partition by partition order by sequence) as before
             from finding_history) h where at < before`,
      );
      expect(rows).toEqual([]);
      await expectVerified({ DATA_DIR: dataDir, ...clock.env });
    },
    TEST_MS,
  );

  it(
    'retires nothing after a start 120 days after the last clock of the log, until the clock is corrected',
    async () => {
      await stop();
      await clock.set('+120d');
      await start();
      const started = performance.now();
      await untilNotReady(service.url, /is 120 days ahead of the last trusted time/);
      await untilSwept(started);
      expect(await stored(database)).toEqual({ states: { Failed: 2 * FINDINGS }, deleted: 0 });
      await clock.set('+0');
      await untilReady(service.url);
      await upload(await service.client(), 'known later');
      expect(await stored(database)).toEqual({ states: { Failed: 3 * FINDINGS }, deleted: 0 });
      await expectVerified({ DATA_DIR: dataDir, ...clock.env });
    },
    TEST_MS,
  );

  it(
    'retires nothing after a jump of 120 days while it runs, until an operator confirms the clock',
    async () => {
      await clock.set('+120d');
      await untilNotReady(
        service.url,
        /is 120 days ahead of the last trusted time, .*`posture clock confirm`/,
      );
      const jumped = performance.now();
      const refused = await (await service.client()).signal(plainSignal('refused', 'host1'));
      expect(refused).toMatchObject({
        status: 503,
        body: { message: expect.stringMatching(/120 days ahead/) },
      });
      await untilSwept(jumped);
      expect(await stored(database)).toEqual({ states: { Failed: 3 * FINDINGS }, deleted: 0 });
      expect(await command('clock', 'confirm', '--reason', 'the machine was off')).toMatch(
        /^Confirmed {2}the clock is correct at \S+Z, 120 days after the last trusted time \S+Z\n$/,
      );
      await untilReady(service.url);
      const { rows } = await database.pool.query('select confirmed_by, reason from clock_confirmations');
      expect(rows).toEqual([{ confirmed_by: expect.stringMatching(/./), reason: 'the machine was off' }]);
      const swept = async () => (await stored(database)).states.Retired === 3 * FINDINGS;
      await until('what has expired to be retired', swept, NOTICED_MS_MAX);
      await expectVerified({ DATA_DIR: dataDir, ...clock.env });
    },
    TEST_MS,
  );
});
