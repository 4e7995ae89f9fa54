import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DAY_MS } from '#libs/domain';
import { actRecord, INTAKE_TOPIC } from '#libs/intake';
import { type ApiClient, plainSignal } from '../../../../test/support/api-client.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { until } from '../../../../test/support/until.ts';

const KEYS = { SEAL_PERSONAL_TEXTS: 'true', POSTURE_SECRET_KEY: 'k'.repeat(32) };
const REAL = Date.now();

/** Days before the present. */
let day = 150;
const clock = () => REAL - day * DAY_MS;

let gateway: StartedGateway;
let admin: ApiClient;

beforeAll(async () => {
  gateway = await StartedGateway.start({ folds: true, env: KEYS, clock });
});
afterAll(() => gateway.stop());

/** A token does not last from one day to the next. */
async function at(n: number): Promise<void> {
  day = n;
  admin = await gateway.client('admin');
}

async function report(): Promise<string> {
  const { status, body } = await admin.signal(
    plainSignal('leak', 'ana', {
      entity: { type: 'user', name: 'ana' },
      expiresAt: new Date(REAL + 90 * DAY_MS).toISOString(),
    }),
  );
  expect(status).toBe(200);
  return body.uploadId;
}

const query = async (statement: string) => (await gateway.database.pool.query(statement)).rows;

async function removeAsset(): Promise<void> {
  const [{ entity_key: entityKey, id: assetId }] = await query('select entity_key, id from assets');
  const reading = { at: clock(), receivedAt: clock() };
  const payload = { type: 'AssetDeleted', assetId, seenVersion: null } as const;
  await gateway.log.append(INTAKE_TOPIC, [
    actRecord({ entityKey, ...reading, settingsVersion: 0, by: null }, payload),
  ]);
  await until('the asset is deleted', async () => {
    const [{ deleted_at }] = await query('select deleted_at from assets');
    return deleted_at !== null;
  });
}

const runRetention = async () => (await admin.request('POST', '/api/v3/history-retention/runs')).body;

it('the retention keeps a subject that has returned with a signal that was not folded yet (R-RET-8)', async () => {
  await at(150);
  const days = Object.fromEntries(['finding', 'ca', 'va', 'edr', 'uba', 'waf', 'others'].map((t) => [t, 90]));
  const settings = JSON.stringify({ historyRetentionDays: days });
  const json = { 'content-type': 'application/json' };
  expect((await admin.request('PATCH', '/api/v3/settings', settings, json)).status).toBe(200);
  await admin.folded(await report());
  await removeAsset();
  const fold = await gateway.database.pool.connect();
  await fold.query('begin; select from projection_positions for update');
  await at(149);
  const returned = await report();
  const size = await gateway.logSize();
  await at(0);
  await until('the retention has decided', async () => {
    await runRetention();
    return (await gateway.logSize()) > size;
  });
  await fold.query('rollback');
  fold.release();
  await admin.folded(returned);
  await until('its decision is folded', async () => (await runRetention()).isComplete);
  expect(await admin.all('/api/v3/erasures')).toEqual([]);
  expect(await admin.all('/api/v3/assets')).toMatchObject([{ name: 'ana', erasedAt: null }]);
});
