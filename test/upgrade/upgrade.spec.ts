import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EventLog, KafkaEventLog, PostgresEventLog } from '#libs/event-log';
import { type KafkaCluster, startKafka } from '../../deploy/kafka/broker.mjs';
import { expectFoldedOnce, untilFolded } from '../faults/checks.ts';
import { Load } from '../faults/load.ts';
import { ApiClient, plainSignal } from '../support/api-client.ts';
import { emptyDatabase, type TestDatabase } from '../support/database.ts';
import { describeOwnKafka } from '../support/kafka.ts';
import { untilScored } from '../support/scored.ts';
import { StartedProgram } from '../support/started-program.ts';
import { ADMIN, ADMIN_ENV, temporaryDataDir } from '../support/started-standalone.ts';
import { until } from '../support/until.ts';
import { expectVerified } from '../support/verify.ts';
import { buildRelease, migrationsOf, whyNoRelease } from './built-release.ts';
import { Front } from './front.ts';
import { RELEASE } from './release.ts';

const PARTITIONS = 6;
/** Uploads at most while something changes, and those after it. */
const UPLOADS_MEANWHILE_MAX = 50;
const UPLOADS_AFTER = 6;

/** The usual run is on the log in PostgreSQL; UPGRADE_LOG=kafka runs the same on Kafka. */
const isOnKafka = process.env.UPGRADE_LOG === 'kafka';

const title = `an upgrade of ${RELEASE.name} under load, on the log in ${isOnKafka ? 'Kafka' : 'PostgreSQL'}`;
const whyNot = whyNoRelease();
if (whyNot !== undefined) describe.skip(`${title} (skipped: ${whyNot})`, specs);
else if (isOnKafka) describeOwnKafka(title, specs);
else describe(title, specs);

function specs(): void {
  let release: string;
  let database: TestDatabase;
  let dataDir: string;
  let kafka: KafkaCluster | undefined;
  let log: EventLog;
  let env: Record<string, string>;
  let front: Front;
  let load: Load;
  const running = new Map<string, StartedProgram>();
  const codes: (number | null)[] = [];

  beforeAll(async () => {
    [release, database, dataDir] = await Promise.all([buildRelease(), emptyDatabase(), temporaryDataDir()]);
    if (isOnKafka) kafka = await startKafka({ directory: `${dataDir}/kafka` });
    env = {
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      LOG_PARTITIONS: `${PARTITIONS}`,
      ...(kafka && { KAFKA_BROKERS: kafka.brokers }),
      ...ADMIN_ENV,
    };
    for (const app of ['gateway', 'projector', 'scorer']) await startOld(app);
    log = kafka
      ? new KafkaEventLog({ brokers: kafka.brokers.split(','), partitions: PARTITIONS })
      : new PostgresEventLog({ url: database.url, partitions: PARTITIONS });
    front = await Front.start(program('old gateway').url);
    load = await Load.start(front.url);
  }, 300_000);

  afterAll(async () => {
    await load?.abandon();
    await front?.stop();
    for (const name of [...running.keys()]) await stop(name);
    await log?.close();
    await database?.drop();
    await kafka?.stop();
    await rm(dataDir, { recursive: true, force: true });
    expect(codes).toEqual(codes.map(() => 0));
  }, 120_000);

  const program = (name: string) => running.get(name)!;
  /** The release has its programs as they were compiled. */
  const released = (app: string) => ({ cwd: release, path: `dist/apps/${app}/src/main.js` });
  const startOld = async (app: string) =>
    running.set(`old ${app}`, await StartedProgram.start(app, env, released(app)));
  const startNew = async (app: string) => running.set(`new ${app}`, await StartedProgram.start(app, env));

  async function stop(name: string): Promise<void> {
    codes.push(await program(name).stop());
    running.delete(name);
  }

  /** Changes something while uploads are in progress; some more are acknowledged after it. */
  async function underLoad(change: () => Promise<unknown>): Promise<void> {
    load.sendOn(UPLOADS_MEANWHILE_MAX);
    await acknowledged(1);
    await change();
    load.sendOn(UPLOADS_AFTER);
    await acknowledged(UPLOADS_AFTER);
    expect(load.refusals).toEqual([]);
  }

  async function acknowledged(more: number): Promise<void> {
    const goal = load.acknowledged.length + more;
    await until(`${more} more uploads`, () => load.acknowledged.length >= goal);
  }

  const folded = async (): Promise<number> =>
    Number((await database.pool.query('select count(*) as n from upload_progress')).rows[0].n);

  const migrations = async (): Promise<string[]> =>
    (await database.pool.query('select name from migrations order by number')).rows.map(({ name }) => name);

  it('begins with the release, which takes and folds', async () => {
    await underLoad(() => until('its fold', async () => (await folded()) > 0));
    expect(await migrations()).toEqual(await migrationsOf(release));
  }, 120_000);

  it('migrates with the first new projector, while the old release continues to serve', async () => {
    await underLoad(() => startNew('projector'));
    expect(await migrations()).toEqual(await migrationsOf());
    await underLoad(() => startNew('scorer'));
    const client = await ApiClient.signIn(program('old gateway').url, ADMIN);
    const { items } = await client.get('/api/v3/findings?limit=1');
    expect(items).toHaveLength(1);
    expect((await fetch(`${client.url}/health/ready`)).status).toBe(200);
  }, 120_000);

  it('leaves the fold and the scores to the new version', async () => {
    await underLoad(async () => {
      await stop('old projector');
      await stop('old scorer');
    });
    const before = await folded();
    await underLoad(() => until('the fold of the new projector', async () => (await folded()) > before));
  }, 120_000);

  it('leaves the requests to the new gateway, in the middle of them', async () => {
    await startNew('gateway');
    await underLoad(async () => {
      front.leadTo(program('new gateway').url);
      await stop('old gateway');
    });
    await load.stop();
  }, 120_000);

  it('has lost and repeated nothing: every acknowledged signal is folded once, as the log says', async () => {
    await untilFolded(database, log);
    expect(load.acknowledged.length).toBeGreaterThanOrEqual(6 * UPLOADS_AFTER);
    await expectFoldedOnce(database, load);
    await expectVerified(env);
    await untilScored(database.pool);
  }, 120_000);

  it('keeps the model of scores, because the log was opened without one', async () => {
    const client = await ApiClient.signIn(program('new gateway').url, ADMIN);
    expect(await client.get('/api/v3/settings')).toMatchObject({ scoringModel: 'posture-1' });
    expect(await client.get('/api/v3/scores/organization')).toMatchObject({ model: 'posture-1' });
  });

  it('lets the release come back, or says why it cannot, and is not disturbed by its try', async () => {
    const isSame = (await migrationsOf()).join() === (await migrationsOf(release)).join();
    if (isSame) {
      await startOld('gateway');
      await stop('old gateway');
    } else {
      await expect(StartedProgram.start('gateway', env, released('gateway'))).rejects.toThrow(
        /ended with 1:\n.*the database was migrated by a newer version \(\d{4}_\w+\.sql\): start that version or a later one/s,
      );
    }
    const client = await ApiClient.signIn(program('new gateway').url, ADMIN);
    const { status, body } = await client.signal(plainSignal('after the try', 'web01'));
    expect(status).toBe(200);
    expect(await client.folded(body.uploadId)).toMatchObject({ folded: 1 });
  }, 120_000);
}
