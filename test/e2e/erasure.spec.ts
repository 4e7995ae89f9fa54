import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type ApiClient, plainSignal } from '../support/api-client.ts';
import { emptyDatabase, type TestDatabase } from '../support/database.ts';
import { StartedStandalone, temporaryDataDir } from '../support/started-standalone.ts';
import { filesWithTraces, tablesWithTraces, tracesOf } from '../support/traces.ts';
import { until } from '../support/until.ts';
import { expectVerified } from '../support/verify.ts';

const JSON_BODY = { 'content-type': 'application/json' };
const ENTITY = 'zqkilled';
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
    LOG_PARTITIONS: '2',
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

const isWaiting = async (): Promise<boolean> => {
  const { rowCount } = await database.pool.query(
    `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rowCount! > 0;
};

/** Erases a subject, kills the service where it waits for a lock, and starts it again. */
async function killedAt(lock: string, user: string): Promise<void> {
  const holder = await database.pool.connect();
  try {
    await holder.query('begin');
    await holder.query(lock);
    const given = JSON.stringify({ subject: `user:${user}`, reason: 'a request' });
    const answer = admin.request('POST', '/api/v3/erasures', given, JSON_BODY).catch(() => null);
    await until('the erasure waits for the lock', isWaiting);
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
  expect(acts.filter(({ target }) => target === erasure.subject)).toHaveLength(1);
  expect(await tablesWithTraces(database.pool, traces)).toEqual([]);
  expect(await filesWithTraces(dataDir, traces)).toEqual([]);
  expect(traces.in(service.log)).toEqual([]);
  await expectVerified(env);
});
