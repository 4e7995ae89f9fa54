import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { bareClock } from '#libs/clock';
import { encodeIntake } from '#libs/contracts';
import { type IntegrationSaved, entityKey as machineKey } from '#libs/domain';
import { openEgress } from '#libs/egress';
import { PostgresEventLog } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import { assetLookup, deviceLookup } from '#libs/integration-store';
import { connectorOf, type RetryTiming } from '#libs/integrations';
import { EventSealer } from '#libs/sealing';
import { SyncRunner } from '../../apps/collector/src/sync/sync-runner.service.ts';
import { SyncRunsRepository } from '../../apps/collector/src/sync/sync-runs.repository.ts';
import {
  AXONIUS_KEYS,
  FALCON_CLIENTS,
  type Fault,
  type FaultAct,
  type Simulators,
  startSimulators,
  TENABLE_KEYS,
} from '../../apps/simulators/src/index.ts';
import {
  addIntegrationEvent,
  EDR,
  foldIntake,
  INVENTORY,
  integrationSaved,
  SCANNER,
} from '../fixtures/collector/integration-events.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { emptyFolded } from '../support/folded-rows.ts';
import { runs } from '../support/long-run.ts';
import { described, entity, upload } from '../support/scenario.ts';

const HOSTS = 40;
const ALERTS = 90;
const PAGES_MAX = 60;

const FALCON = {
  clientId: FALCON_CLIENTS.full.id,
  tagFilters: [],
  autoOnboardNewAssets: true,
  updateExistingAssetsMetadata: true,
};

/** Waits that are over at once: how long each was to be, the requests' own tests say. */
const atOnce: RetryTiming = { clock: Date.now, random: () => 0.5, sleep: async () => {} };

let database: TestDatabase;
let log: PostgresEventLog;
let platforms: Simulators;
let syncs: SyncRunsRepository;
let runner: SyncRunner;
let pageSize: number;

beforeAll(async () => {
  [database, platforms] = await Promise.all([
    testDatabase(),
    startSimulators({ hosts: HOSTS, alerts: ALERTS, devices: 30, seed: 11 }),
  ]);
  log = new PostgresEventLog({ url: database.url, partitions: 2 });
  syncs = new SyncRunsRepository(database.db);
  const egress = openEgress({ allow: () => ['127.0.0.1'] });
  const secrets = {
    clientSecret: FALCON_CLIENTS.full.secret,
    apiSecret: AXONIUS_KEYS.full.secret,
    secretKey: TENABLE_KEYS.full.secretKey,
  };
  runner = new SyncRunner(
    database.db,
    log,
    Date.now,
    bareClock(Date.now),
    async (integration, settings) => ({
      connector: connectorOf({ ...integration, secrets }, egress, {
        source: integration.source,
        settings,
        assets: assetLookup(database.db, new EventSealer(null)),
        devices: deviceLookup(database.db, new EventSealer(null)),
        retryTiming: atOnce,
        pageSize,
      }),
      close: async () => {},
    }),
    syncs,
    { ms: 600_000, pages: PAGES_MAX },
    new EventSealer(null),
  );
});
afterAll(async () => {
  await log.close();
  await platforms.close();
  await database.drop();
});

beforeEach(clear);

async function clear(): Promise<void> {
  pageSize = 1_000;
  platforms.control.clearFaults();
  platforms.control.setScopes(FALCON_CLIENTS.full.id, FALCON_CLIENTS.full.scopes);
  await emptyFolded(database);
  await database.pool.query('truncate syncs, log_records, log_ends');
  await save(EDR, 'edrplugin', 'falcon', FALCON);
  await save(INVENTORY, 'assetinventory', 'axonius', {
    apiKey: AXONIUS_KEYS.full.key,
    attackSurfaceTypes: ['Servers', 'Endpoints', 'Infrastructure'],
  });
}

function save(
  id: string,
  integrationType: IntegrationSaved['integrationType'],
  subType: IntegrationSaved['subType'],
  config: object,
): Promise<void> {
  const saved = integrationSaved({ id, integrationType, subType }, { url: platforms.url, ...config });
  return addIntegrationEvent(database, log, saved);
}

/** Runs a sync; returns its row of the history, and the applied findings. */
async function sync(integration = EDR, isFull = false) {
  await syncs.request(integration, { action: 'scheduled' }, Date.now());
  if (isFull) await database.pool.query(`update syncs set is_full = true where stage = 'QUEUED'`);
  const task = (await syncs.take(Date.now()))!;
  await runner.run(task, new AbortController().signal);
  await foldIntake(database, log);
  const { rows } = await database.pool.query('select * from syncs where id = $1', [task.id]);
  return { ...rows[0], applied: await applied() };
}

/** Adds an asset, not by an integration. */
async function onboard(name: string): Promise<void> {
  const entityKey = machineKey('machine', name);
  const onboarded = upload(1, Date.now(), [described({ entity: entity({ name }) })], { entityKey });
  await log.append(
    INTAKE_TOPIC,
    onboarded.map((event) => ({ key: entityKey, value: encodeIntake(event) })),
  );
  await foldIntake(database, log);
}

async function applied() {
  const { rows } = await database.pool.query(`
    select (select count(*) from assets) as assets,
           (select count(*) from findings f, json_array_elements(f.body -> 'instances')) as instances,
           (select count(*) - count(distinct (asset_no, finding_no, body ->> 'version')) from finding_history) as twice`);
  return rows[0];
}

const ALL = { assets: HOSTS, instances: ALERTS, twice: 0 };
const HOST_PAGES = '/devices/';
const ALERT_PAGES = '/alerts/';

/** Faults that a retry, a new token or a second request corrects. */
const PASSING: [string, FaultAct][] = [
  ['an expired token', { kind: 'expiredToken' }],
  ['429 with a time in milliseconds', { kind: 'rateLimited', retryAfterMs: 5_000, unit: 'milliseconds' }],
  ['429 with a time in seconds', { kind: 'rateLimited', retryAfterMs: 5_000, unit: 'seconds' }],
  ['429 without a time', { kind: 'rateLimited', retryAfterMs: 5_000, unit: 'none' }],
  ['500', { kind: 'status', status: 500 }],
  ['503', { kind: 'status', status: 503 }],
  ['a cut answer', { kind: 'cut' }],
  ['garbage', { kind: 'garbage' }],
  ['an error inside a success', { kind: 'errorsIn200' }],
  ['a slow answer', { kind: 'slow', delayMs: 50 }],
];

describe.each([HOST_PAGES, ALERT_PAGES])('a fault of %s', (path) => {
  it.each(PASSING)('once: %s is mended, and all is applied once', async (_, act) => {
    platforms.control.fault({ path, act });
    const { stage, status, errors, applied } = await sync();
    expect({ stage, status, errors }).toEqual({ stage: 'COMPLETED', status: 0, errors: [] });
    expect(applied).toEqual(ALL);
    expect(platforms.control.waitingFaults).toEqual([]);
  });

  it.each<[string, FaultAct]>([
    ['500', { kind: 'status', status: 500 }],
    ['garbage', { kind: 'garbage' }],
    ['a cut answer', { kind: 'cut' }],
    ['a lost permission', { kind: 'lostScope' }],
    ['an error inside a success', { kind: 'errorsIn200' }],
    ['half of each page', { kind: 'partialPage' }],
  ])(
    'for ever: %s is a partial success that says so; the other kind of records is applied',
    async (_, act) => {
      platforms.control.fault({ path, times: 'ever', act } as Fault);
      const row = await sync();
      expect(row).toMatchObject({ stage: 'COMPLETED', status: 3 });
      expect(row.errors[0].what).toMatch(path === HOST_PAGES ? /hosts/ : /alerts/);
      if (path === ALERT_PAGES) {
        expect(row.applied).toMatchObject({ assets: HOSTS, twice: 0 });
        expect(row.applied.instances).toBeLessThan(ALERTS);
      }
      platforms.control.clearFaults();
      expect(await sync()).toMatchObject({ stage: 'COMPLETED', status: 0, is_full: true, applied: ALL });
    },
  );
});

describe('a sync that ends with Success', () => {
  const paths = ['/', '/devices/', '/devices/combined', '/devices/entities', '/alerts/', '/oauth2/token'];
  const kinds = [
    'errorsIn200',
    'partialPage',
    'noTotal',
    'missingPage',
    'repeatedPage',
    'lostScope',
    'garbage',
  ];
  const faults: fc.Arbitrary<Fault> = fc.record({
    path: fc.constantFrom(...paths),
    nth: fc.integer({ min: 1, max: 12 }),
    times: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.constant('ever' as const)),
    act: fc.oneof(
      fc.constantFrom(...kinds).map((kind) => ({ kind }) as FaultAct),
      fc.constant<FaultAct>({ kind: 'status', status: 400 }),
    ),
  });

  it('has applied everything of the platform after any failure', async () => {
    const property = fc.asyncProperty(fc.array(faults, { maxLength: 4 }), async (armed) => {
      await clear();
      pageSize = 20;
      for (const fault of armed) platforms.control.fault(fault);
      const first = await sync();
      if (first.status === 0) expect(first.applied).toEqual(ALL);
      // No watermark is after a missing record.
      platforms.control.clearFaults();
      const next = await sync();
      expect(next).toMatchObject({ status: 0, errors: [], applied: ALL });
    });
    await fc.assert(property, { numRuns: runs(30) });
  }, 300_000);
});

describe('pages that do not follow each other', () => {
  it('a repeated page changes nothing', async () => {
    platforms.control.fault({ path: '/alerts/combined', nth: 2, act: { kind: 'repeatedPage' } });
    expect(await sync()).toMatchObject({ stage: 'COMPLETED', status: 0, errors: [], applied: ALL });
  });

  it('pages in turn without a total and without an end are ended by the budget, and nothing is lost', async () => {
    pageSize = 20;
    platforms.control.fault({ path: '/alerts/', times: 'ever', act: { kind: 'alternatingPages' } });
    const row = await sync();
    expect(row).toMatchObject({
      stage: 'ERROR',
      status: 2,
      end_reason: 'overBudget',
      counts: { pages: PAGES_MAX },
      applied: { assets: HOSTS, twice: 0 },
    });
    platforms.control.clearFaults();
    expect(await sync()).toMatchObject({ status: 0, applied: ALL });
  });

  it('a missing page is reported, and the next sync reads it', async () => {
    const alerts = 1_100;
    const larger = await startSimulators({ hosts: 5, alerts, devices: 0, seed: 11 });
    try {
      await save(EDR, 'edrplugin', 'falcon', { ...FALCON, url: larger.url });
      larger.control.fault({ path: '/alerts/combined', nth: 2, act: { kind: 'missingPage' } });
      const row = await sync();
      expect(row).toMatchObject({ stage: 'COMPLETED', status: 3, errors: [{ what: 'alerts' }] });
      expect(row.applied.instances).toBeLessThan(alerts);
      expect(await sync()).toMatchObject({ status: 0, applied: { instances: alerts, twice: 0 } });
    } finally {
      await larger.close();
    }
  });
});

describe('a delta', () => {
  it('brings the open detections of an asset that was onboarded since, and of known ones no trace', async () => {
    await save(EDR, 'edrplugin', 'falcon', { ...FALCON, autoOnboardNewAssets: false });
    expect(await sync()).toMatchObject({ status: 0, is_full: true, applied: { assets: 0, instances: 0 } });
    // The overlap of two syncs must not bring it.
    const [open] = [...platforms.control.alerts]
      .filter(({ status }) => status === 'new')
      .sort((a, b) => (a.updated_timestamp < b.updated_timestamp ? -1 : 1));
    const { hostname: name } = open!.device as { hostname: string };
    await onboard(name);
    const delta = await sync();
    expect(delta).toMatchObject({ status: 0, is_full: false, applied: { assets: 1, twice: 0 } });
    expect(delta.applied.instances).toBeGreaterThan(0);
    const before = await histories();
    expect(await sync()).toMatchObject({ status: 0, is_full: false, applied: delta.applied });
    expect(await histories()).toEqual(before);
  });

  it('leaves the detections of a renamed host where they are, also if its tags select it', async () => {
    const { alerts, hosts } = platforms.control;
    const { agent_id: id } = [...alerts].find(({ status }) => status === 'new')!;
    const number = [...hosts].findIndex(({ device_id }) => device_id === id);
    const { hostname, tags } = hosts.at(number)!;
    hosts.change(number, { tags: ['Chosen'] });
    await save(EDR, 'edrplugin', 'falcon', { ...FALCON, tagFilters: ['Chosen'] });
    try {
      const instances = [...alerts].filter(({ agent_id }) => agent_id === id).length;
      expect(await sync()).toMatchObject({ status: 0, applied: { assets: 1, instances } });
      hosts.change(number, { hostname: 'renamed' });
      expect(await sync()).toMatchObject({ status: 0, is_full: false, applied: { assets: 2, instances } });
    } finally {
      hosts.change(number, { hostname, tags });
    }
  });
});

describe('the hosts of the platform (R-EDR-8)', () => {
  const managed = async () =>
    (
      await database.pool.query(`select name from assets where edr_sources = '{falcon}' order by name`)
    ).rows.map(({ name }) => name);

  it('are managed; one that was removed there is not after the next full sync without a failure', async () => {
    const few = await startSimulators({ hosts: 5, alerts: 20, devices: 5, seed: 11 });
    try {
      await save(EDR, 'edrplugin', 'falcon', { ...FALCON, url: few.url });
      await save(INVENTORY, 'assetinventory', 'axonius', {
        url: few.url,
        apiKey: AXONIUS_KEYS.full.key,
        attackSurfaceTypes: ['Servers', 'Endpoints', 'Infrastructure'],
      });
      expect(await sync()).toMatchObject({ status: 0, is_full: true });
      const all = await managed();
      expect(all).toHaveLength(5);
      few.control.hosts.remove(0);
      // The inventory of assets describes the same machines, and manages none.
      await sync(INVENTORY);
      await sync();
      few.control.fault({ path: HOST_PAGES, times: 'ever', act: { kind: 'partialPage' } });
      expect(await sync(EDR, true)).toMatchObject({ status: 3 });
      expect(await managed()).toEqual(all);
      few.control.clearFaults();
      expect(await sync(EDR, true)).toMatchObject({ status: 0, is_full: true });
      const left = await managed();
      expect(left).toHaveLength(4);
      expect(all).toEqual(expect.arrayContaining(left));
    } finally {
      await few.close();
    }
  });

  it('are listed by the sync after a full one that failed before its first record', async () => {
    const few = await startSimulators({ hosts: 5, alerts: 20, devices: 0, seed: 11 });
    try {
      await save(EDR, 'edrplugin', 'falcon', { ...FALCON, url: few.url });
      expect(await sync()).toMatchObject({ status: 0, is_full: true });
      await database.pool.query(`update syncs set requested_at = requested_at - interval '8 days'`);
      few.control.hosts.remove(0);
      few.control.fault({ path: '/oauth2/token', times: 'ever', act: { kind: 'status', status: 403 } });
      expect(await sync()).toMatchObject({ status: 2, is_full: true, watermark: null });
      expect(await managed()).toHaveLength(5);
      few.control.clearFaults();
      expect(await sync()).toMatchObject({ status: 0, is_full: true });
      expect(await managed()).toHaveLength(4);
    } finally {
      await few.close();
    }
  });
});

describe('a detection of a host without the chosen tag', () => {
  let restore: () => void;
  let tagHost: (tag: string) => void;
  let change: (fields: object) => void;
  let key: string;
  beforeEach(async () => {
    const { alerts, hosts } = platforms.control;
    const index = [...alerts].findIndex(({ status }) => status === 'new');
    const { composite_id, agent_id, status, tags, device } = alerts.at(index)!;
    const number = [...hosts].findIndex(({ device_id }) => device_id === agent_id);
    const host = hosts.at(number)!;
    key = composite_id;
    tagHost = (tag) => hosts.change(number, { tags: [tag] });
    change = (fields) => alerts.change(index, fields as never);
    restore = () => {
      hosts.change(number, { tags: host.tags });
      change({ status, tags, device });
    };
    await save(EDR, 'edrplugin', 'falcon', { ...FALCON, tagFilters: ['Chosen'] });
  });
  afterEach(() => restore());

  const CLOSED = { status: 'closed', tags: ['false_positive'] };
  const taggedThen = () => {
    const { device } = [...platforms.control.alerts].find(({ composite_id }) => composite_id === key)!;
    change({ device: { ...(device as object), tags: ['Chosen'] } });
  };
  const isFailing = async () => {
    const { rows } = await database.pool.query(
      `select from findings f, json_array_elements(f.body -> 'instances') i
       where f.state = 'Failed' and i ->> 'key' = $1 and i ->> 'status' = 'fail'`,
      [key],
    );
    return rows.length === 1;
  };

  it.each(['then', 'only later'])(
    'no longer fails once it is closed; the host had the tag %s',
    async (when) => {
      if (when === 'then') taggedThen();
      tagHost('Chosen');
      await sync();
      expect(await isFailing()).toBe(true);
      tagHost('Other');
      change(CLOSED);
      expect(await sync()).toMatchObject({ status: 0, is_full: false });
      expect(await isFailing()).toBe(false);
    },
  );

  it('no longer fails after a full sync, if the host had the tag at the detection', async () => {
    taggedThen();
    tagHost('Chosen');
    await sync();
    tagHost('Other');
    change(CLOSED);
    expect(await sync(EDR, true)).toMatchObject({ status: 0, is_full: true });
    expect(await isFailing()).toBe(false);
  });

  it('makes no asset', async () => {
    taggedThen();
    tagHost('Other');
    change(CLOSED);
    for (const isFull of [true, false]) {
      await sync(EDR, isFull);
      change({ ...CLOSED, tags: ['false_positive', 'seen'] });
      expect(await states()).toEqual([]);
    }
  });
});

describe('nothing works', () => {
  it('wrong credentials are an error, and nothing is applied', async () => {
    platforms.control.fault({ path: '/oauth2/token', times: 'ever', act: { kind: 'status', status: 403 } });
    const row = await sync();
    expect(row).toMatchObject({ stage: 'ERROR', status: 2, applied: { assets: 0, instances: 0 } });
    expect(JSON.stringify(row.errors)).not.toContain(FALCON_CLIENTS.full.secret);
  });
});

describe('a fault of the inventory', () => {
  it.each(PASSING)('once: %s is mended', async (_, act) => {
    await sync();
    platforms.control.fault({ path: '/api/devices', act });
    const row = await sync(INVENTORY);
    expect(row).toMatchObject({ stage: 'COMPLETED', status: 0, errors: [], applied: { assets: HOSTS } });
    expect(row.counts.signals).toBeGreaterThan(0);
  });

  it('for ever is an error, and changes nothing', async () => {
    await sync();
    const before = await states();
    platforms.control.fault({ path: '/api/devices', times: 'ever', act: { kind: 'status', status: 500 } });
    expect(await sync(INVENTORY)).toMatchObject({
      stage: 'ERROR',
      status: 2,
      errors: [{ what: expect.stringMatching(/device/) }],
    });
    expect(await states()).toEqual(before);
  });
});

describe('the vulnerability scanner', () => {
  const ASSETS = 140;
  let scanner: Simulators;
  beforeEach(async () => {
    scanner = await startSimulators({
      hosts: 40,
      alerts: 0,
      devices: 0,
      assets: ASSETS,
      vulnerabilities: 420,
      seed: 11,
    });
    await save(SCANNER, 'vulnerabilityscanner', 'tenable', {
      url: scanner.url,
      accessKey: TENABLE_KEYS.full.accessKey,
      autoOnboardNewAssets: true,
      updateExistingAssetsMetadata: true,
    });
  });
  afterEach(() => scanner.close());

  /** Severity `info` is not pulled. */
  const isOpen = ({ plugin, state }: { plugin: number; state: string }) => plugin !== 7 && state !== 'FIXED';
  const open = () => [...scanner.control.vulnerabilities].filter(isOpen);
  const rows = async () =>
    (
      await database.pool.query(`
        select (select count(*) from asset_history)::int as assets,
               (select count(*) from finding_history)::int as findings`)
    ).rows[0];
  const stated = async () =>
    (await database.pool.query(`select count(*)::int as n from assets where stated_devices <> '{}'`)).rows[0]
      .n;
  const whole = () => ({ assets: ASSETS, instances: open().length, twice: 0 });

  it('brings assets and open vulnerabilities; the next pull of all of it writes nothing', async () => {
    expect(await sync(SCANNER)).toMatchObject({ status: 0, is_full: true, applied: whole() });
    const before = await rows();
    expect(await sync(SCANNER, true)).toMatchObject({ status: 0, is_full: true, applied: whole() });
    expect(await rows()).toEqual(before);
  });

  it('a fixed vulnerability is retired by the next delta, and returns if it is reopened', async () => {
    await sync(SCANNER);
    const number = [...scanner.control.vulnerabilities].findIndex(isOpen);
    const { finding_id: key } = scanner.control.vulnerabilities.at(number)!;
    const instances = async () =>
      (
        await database.pool.query(
          `select count(*)::int as n from findings f, json_array_elements(f.body -> 'instances') i
           where i ->> 'key' = $1 and f.state <> 'Retired'`,
          [key],
        )
      ).rows[0].n;
    expect(await instances()).toBe(1);
    const now = () => new Date(scanner.control.now()).toISOString();
    scanner.control.vulnerabilities.change(number, { state: 'FIXED', last_fixed: now() });
    expect(await sync(SCANNER)).toMatchObject({ status: 0, is_full: false });
    expect(await instances()).toBe(0);
    scanner.control.vulnerabilities.change(number, { state: 'REOPENED', last_fixed: null });
    expect(await sync(SCANNER)).toMatchObject({ status: 0, is_full: false });
    expect(await instances()).toBe(1);
  });

  it('a delta without metadata has the names of assets too: the record of a vulnerability names another one', async () => {
    await save(SCANNER, 'vulnerabilityscanner', 'tenable', {
      url: scanner.url,
      accessKey: TENABLE_KEYS.full.accessKey,
      autoOnboardNewAssets: true,
      updateExistingAssetsMetadata: false,
    });
    const { assets, vulnerabilities } = scanner.control;
    const number = [...vulnerabilities].findIndex(isOpen);
    const names = { fqdns: ['lb.acme.com', 'app01.acme.com'], hostnames: ['app01'] };
    assets.change(vulnerabilities.at(number)!.asset, { ...names, updated_at: '2020-01-01T00:00:00.000Z' });
    await onboard('app01.acme.com');
    expect(await sync(SCANNER)).toMatchObject({ status: 0, is_full: true, applied: whole() });
    vulnerabilities.change(number, { state: 'REOPENED' });
    expect(await sync(SCANNER)).toMatchObject({ status: 0, is_full: false, applied: whole() });
  });

  it('what platform versions below 4.1 reject is no missing record: the next sync is a delta (R-SIG-18)', async () => {
    const changes = { platformVersion: JSON.stringify('4.0') };
    await addIntegrationEvent(database, log, { type: 'SettingsChanged', seenVersion: null, changes });
    const first = await sync(SCANNER);
    expect(first).toMatchObject({
      status: 0,
      errors: [],
      counts: {
        ignored: { unmapped: expect.any(Number) },
        notices: [expect.stringContaining('platformVersion')],
      },
    });
    expect(first.applied.instances).toBeLessThan(open().length);
    expect(await sync(SCANNER)).toMatchObject({ status: 0, is_full: false });
  });

  it('what it said of an asset ends with the asset, by a full sync (R-SRC-5)', async () => {
    await sync(SCANNER);
    expect(await stated()).toBe(ASSETS);
    scanner.control.assets.remove(0);
    await sync(SCANNER);
    expect(await stated()).toBe(ASSETS);
    expect(await sync(SCANNER, true)).toMatchObject({ status: 0 });
    expect(await stated()).toBe(ASSETS - 1);
  });

  it('weaknesses of an asset that gets another name end at the earlier one (R-SRC-6)', async () => {
    const { assets, vulnerabilities } = scanner.control;
    const number = [...vulnerabilities].find(isOpen)!.asset;
    const own = [...[...vulnerabilities].entries()].filter(([, one]) => one.asset === number);
    const nameless = { fqdns: [], hostnames: [], netbios_names: [], agent_names: [], ipv4s: ['10.9.8.7'] };
    const failing = async () =>
      (
        await database.pool.query(
          `select a.name, count(*)::int from findings f join assets a using (asset_no)
           where f.state = 'Failed' and a.name in ('10.9.8.7', 'newname01') group by 1`,
        )
      ).rows;
    assets.change(number, nameless);
    await sync(SCANNER);
    expect(await failing()).toEqual([{ name: '10.9.8.7', count: expect.any(Number) }]);
    assets.change(number, { hostnames: ['newname01'] });
    expect(await sync(SCANNER)).toMatchObject({ status: 0, is_full: false, applied: { twice: 0 } });
    expect((await failing()).map(({ name }) => name)).toEqual(['newname01']);
    for (const [index] of own) {
      vulnerabilities.change(index, {
        state: 'FIXED',
        last_fixed: new Date(scanner.control.now()).toISOString(),
      });
    }
    expect(await sync(SCANNER)).toMatchObject({ status: 0, is_full: false });
    expect(await failing()).toEqual([]);
  });

  it.each<[string, FaultAct]>([
    ['a lost chunk', { kind: 'chunkFails' }],
    ['a failed export', { kind: 'exportFails' }],
  ])('%s is a partial success that says so, and the next sync is full', async (_, act) => {
    scanner.control.fault({ method: 'POST', path: '/vulns/export', act });
    const row = await sync(SCANNER);
    expect(row).toMatchObject({ stage: 'COMPLETED', status: 3 });
    expect(row.errors[0].what).toMatch(/^vulnerabilities/);
    expect(row.applied).toMatchObject({ assets: ASSETS, twice: 0 });
    expect(row.applied.instances).toBeLessThan(open().length);
    expect(await sync(SCANNER)).toMatchObject({ status: 0, is_full: true, applied: whole() });
  });
});

const histories = async () => (await database.pool.query('select count(*) from finding_history')).rows[0];
const states = async () => (await database.pool.query('select state from assets order by asset_no')).rows;
