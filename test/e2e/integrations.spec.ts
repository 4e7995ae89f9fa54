import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  AXONIUS_KEYS,
  FALCON_CLIENTS,
  type Simulators,
  startSimulators,
} from '../../apps/simulators/src/index.ts';
import type { ApiClient } from '../support/api-client.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { StartedStandalone } from '../support/started-standalone.ts';
import { until } from '../support/until.ts';
import { expectVerified } from '../support/verify.ts';

const SYNC_MS_MAX = 90_000;

let platforms: Simulators;
let database: TestDatabase;
let service: StartedStandalone;
let client: ApiClient;
beforeAll(async () => {
  [platforms, database] = await Promise.all([
    startSimulators({ hosts: 60, alerts: 150, devices: 60, seed: 7 }),
    testDatabase(),
  ]);
  await start();
  await send('PATCH', '/api/v3/settings', { egressAllow: ['127.0.0.1'] });
}, 120_000);
afterAll(async () => {
  await service.stopAndRemove();
  await platforms.close();
  await database.drop();
});

async function start(): Promise<void> {
  service = await StartedStandalone.start(service?.dataDir, { DATABASE_URL: database.url });
  client = await service.client();
}

async function send(method: string, path: string, body: object = {}) {
  const { status, body: answer } = await client.request(method, path, JSON.stringify(body));
  if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${answer.message}`);
  return answer;
}

/** Sync Now, until it has ended; answers its row of the history. */
async function sync(id: string, body: object = {}) {
  const { syncId } = await send('POST', `/integrations/${id}/sync`, body);
  return ended(id, syncId);
}

async function ended(id: string, syncId: string) {
  const find = async () =>
    (await client.all(`/integrations/${id}/history`)).find((one) => one.syncId === syncId);
  await until('the sync', async () => ['COMPLETED', 'ERROR'].includes((await find())?.stage), SYNC_MS_MAX);
  return find();
}

const listed = (path: string): Promise<any[]> => client.all(path);

/** Appended events are visible once they are folded. */
async function shows<T>(what: string, read: () => Promise<T>, expected: (read: T) => boolean): Promise<T> {
  let last = await read();
  await until(what, async () => {
    if (!expected(last)) last = await read();
    return expected(last);
  });
  return last;
}

const instancesOf = async (id: string): Promise<Map<string, any>> => {
  const findings = await listed(`/integrations/${id}/findings`);
  const whole = await Promise.all(findings.map((one) => client.get(`/api/v3/findings/${one.id}`)));
  return new Map(
    whole.flatMap(({ instances, ...finding }) => instances.map((one: any) => [one.key, { ...one, finding }])),
  );
};

const assetNames = (hosts: Iterable<{ hostname: string }>) =>
  new Set([...hosts].map(({ hostname }) => hostname.toLowerCase().split('.')[0]));

let edr: string;

/** In order: each continues with both sides as the previous one left them. */
describe('the EDR platform', () => {
  it('is created, without its secret in answers, and its connection tested check by check', async () => {
    const config = { url: platforms.url, clientId: FALCON_CLIENTS.full.id };
    const { clientSecret } = { clientSecret: FALCON_CLIENTS.full.secret };
    const made = await send('POST', '/integration', {
      type: 'edrplugin',
      subType: 'falcon',
      name: 'EDR',
      config: { ...config, clientSecret },
    });
    edr = made.id;
    expect(JSON.stringify(await client.get(`/integrations/${edr}`))).not.toContain(clientSecret);
    expect(await client.get(`/integrations/${edr}`)).toMatchObject({
      sensitiveFields: ['clientSecret'],
      configState: 'complete',
      sync: null,
    });
    const tested = await send('POST', `/integrations/${edr}/test`);
    expect(tested).toMatchObject({ ok: true });
    expect(tested.checks.map(({ name }: any) => name)).toEqual(['address', 'credentials', 'hosts', 'alerts']);
    const { id: clientId, secret } = FALCON_CLIENTS.hostsOnly;
    const lacking = await send('POST', `/integrations/${edr}/test`, {
      config: { clientId, clientSecret: secret },
    });
    expect(lacking.ok).toBe(false);
    expect(lacking.checks.filter(({ ok }: any) => !ok).map(({ name }: any) => name)).toEqual(['alerts']);
  });

  it('is synced: every host an asset, every detection an instance', async () => {
    expect(await sync(edr)).toMatchObject({
      stage: 'COMPLETED',
      status: 0,
      statusName: 'Success',
      full: true,
      errors: [],
    });
    const names = assetNames(platforms.control.hosts);
    const assets = await shows(
      'the assets',
      () => listed(`/integrations/${edr}/assets`),
      (all) => all.length === names.size,
    );
    expect(
      new Set(assets.map(({ hostname, name }) => (hostname ?? name).toLowerCase().split('.')[0])),
    ).toEqual(names);
    expect(assets.every(({ isEdrManaged }) => isEdrManaged)).toBe(true);
    const alerts = [...platforms.control.alerts];
    const instances = await shows(
      'the detections',
      () => instancesOf(edr),
      (all) => all.size === alerts.length,
    );
    expect(new Set(instances.keys())).toEqual(new Set(alerts.map(({ composite_id }) => composite_id)));
    const severally = await listed(`/integrations/${edr}/findings`);
    expect(Math.max(...severally.map(({ instanceCount }) => instanceCount))).toBeGreaterThan(1);
  }, 180_000);

  it('shows exactly the delta of what changed there', async () => {
    platforms.control.advance(60_000);
    const before = await instancesOf(edr);
    const [failing] = [...before.values()].filter(({ status }) => status === 'Failed');
    const alerts = platforms.control.alerts;
    const number = [...alerts].findIndex(({ composite_id }) => composite_id === failing.key);
    alerts.change(number, { status: 'closed', tags: ['false_positive'] });
    const added = alerts.at(platforms.control.addAlert(3, { status: 'new', tags: [] }))!;
    const row = await sync(edr);
    expect(row).toMatchObject({ status: 0, full: false });
    const after = await shows(
      'the new detection',
      () => instancesOf(edr),
      (all) => all.has(added.composite_id),
    );
    expect(after.get(failing.key)).toMatchObject({ status: 'Qualified', counted: false });
    const moved = [...after]
      .filter(([key, { status }]) => before.get(key)?.status !== status)
      .map(([key]) => key);
    expect(new Set(moved)).toEqual(new Set([failing.key, added.composite_id]));
  }, 120_000);

  it('says what failed, and applies the rest', async () => {
    platforms.control.fault({ path: '/alerts', times: 'ever', act: { kind: 'lostScope' } });
    const row = await sync(edr, { full: true });
    platforms.control.clearFaults();
    expect(row).toMatchObject({ stage: 'COMPLETED', status: 3, statusName: 'Partial Success' });
    expect(row.errors[0].what).toMatch(/alerts/);
    expect(JSON.stringify(row)).not.toContain(FALCON_CLIENTS.full.secret);
  }, 180_000);

  it('continues after a crash during a sync: that sync is an error, the next a success', async () => {
    platforms.control.fault({ path: '/alerts', act: { kind: 'slow', delayMs: 20_000 } });
    const { syncId } = await send('POST', `/integrations/${edr}/sync`, { full: true });
    await until('the middle of it', async () => platforms.control.waitingFaults.length === 0, SYNC_MS_MAX);
    await service.kill();
    await start();
    expect(await ended(edr, syncId)).toMatchObject({ stage: 'ERROR', statusName: 'Error' });
    expect(await sync(edr)).toMatchObject({ stage: 'COMPLETED', status: 0 });
  }, 180_000);
});

describe('the inventory platform', () => {
  it('describes the assets of the listed attack surfaces, onboards none, and states why its views are empty', async () => {
    const assets = await listed('/api/v3/assets');
    const surfaces = [...new Set(assets.map(({ attackSurface }) => attackSurface))];
    for (const name of ['assetinventory-id', 'assetinventory-tags', 'assetinventory-connection-label']) {
      await send('POST', '/api/v3/custom-fields', { name, type: 'Any', multiValued: true });
    }
    const { id } = await send('POST', '/integration', {
      type: 'assetinventory',
      subType: 'axonius',
      name: 'Inventory',
      config: {
        url: platforms.url,
        apiKey: AXONIUS_KEYS.full.key,
        apiSecret: AXONIUS_KEYS.full.secret,
        attackSurfaceTypes: surfaces,
      },
    });
    const row = await sync(id);
    expect(row).toMatchObject({ stage: 'COMPLETED', status: 0 });
    expect(row.counts.signals).toBeGreaterThan(0);
    const described = () => listed('/api/v3/assets?source=Inventory');
    await shows('the described assets', described, (all) => all.length > 0);
    expect((await listed('/api/v3/assets')).map((asset) => asset.id).sort()).toEqual(
      assets.map((asset) => asset.id).sort(),
    );
    for (const view of ['findings', 'assets']) {
      const { items, note } = await client.get(`/integrations/${id}/${view}`);
      expect([items, note]).toEqual([[], expect.stringMatching(/metadata/)]);
    }
  }, 120_000);
});

it('no secret is in any output, and the tables equal the fold of the log', async () => {
  for (const secret of [FALCON_CLIENTS.full.secret, AXONIUS_KEYS.full.secret])
    expect(service.log).not.toContain(secret);
  await expectVerified({ DATABASE_URL: database.url, DATA_DIR: service.dataDir });
}, 120_000);
