import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bareClock } from '#libs/clock';
import { encodeIntake } from '#libs/contracts';
import { type Asset, actEnvelope, type IntegrationSaved, ORGANIZATION_KEY, readingAt } from '#libs/domain';
import { openEgress } from '#libs/egress';
import { PostgresEventLog } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import { assetLookup, integrationSetup } from '#libs/integration-store';
import { connectorOf } from '#libs/integrations';
import { Projection } from '#libs/projection';
import { endStatementsOfRemoved } from '../../apps/collector/src/statements/end-statements.ts';
import { SyncRunner } from '../../apps/collector/src/sync/sync-runner.service.ts';
import { SyncsRepository } from '../../apps/collector/src/sync/syncs.repository.ts';
import {
  AXONIUS_KEYS,
  FALCON_CLIENTS,
  type Simulators,
  startSimulators,
} from '../../apps/simulators/src/index.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';

const EDR = '0b1d6f0e-6c53-4d7a-9a36-2f4c9a1f5e01';
const INVENTORY = '0b1d6f0e-6c53-4d7a-9a36-2f4c9a1f5e02';
const HOSTS = 20;

let database: TestDatabase;
let log: PostgresEventLog;
let platforms: Simulators;
let syncs: SyncsRepository;
let runner: SyncRunner;

beforeAll(async () => {
  [database, platforms] = await Promise.all([
    testDatabase(),
    startSimulators({ hosts: HOSTS, alerts: 30, devices: HOSTS, seed: 11 }),
  ]);
  log = new PostgresEventLog({ url: database.url, partitions: 2 });
  syncs = new SyncsRepository(database.db);
  const egress = openEgress({ allow: () => ['127.0.0.1'] });
  const secrets = { clientSecret: FALCON_CLIENTS.full.secret, apiSecret: AXONIUS_KEYS.full.secret };
  runner = new SyncRunner(
    database.db,
    log,
    Date.now,
    bareClock(Date.now),
    async (integration, settings) => ({
      connector: connectorOf(integrationSetup(integration, secrets), egress, {
        source: integration.source,
        settings,
        assets: assetLookup(database.db),
      }),
      close: async () => {},
    }),
    syncs,
  );
  await save(EDR, 'edrplugin', 'falcon', {
    clientId: FALCON_CLIENTS.full.id,
    tagFilters: [],
    autoOnboardNewAssets: true,
    updateExistingAssetsMetadata: true,
  });
  await save(INVENTORY, 'assetinventory', 'axonius', {
    apiKey: AXONIUS_KEYS.full.key,
    attackSurfaceTypes: ['Servers', 'Endpoints', 'Infrastructure'],
  });
});
afterAll(async () => {
  await log.close();
  await platforms.close();
  await database.drop();
});

async function save(
  id: string,
  integrationType: IntegrationSaved['integrationType'],
  subType: IntegrationSaved['subType'],
  config: object,
): Promise<void> {
  const given = Object.entries({ url: platforms.url, autoSyncDays: null, ...config });
  const payload: IntegrationSaved = {
    type: 'IntegrationSaved',
    id,
    seenVersion: null,
    integrationType,
    subType,
    name: subType,
    source: subType,
    config: Object.fromEntries(given.map(([name, value]) => [name, JSON.stringify(value)])),
    secrets: [],
    createdAt: Date.now(),
  };
  await append(id, payload);
}

async function append(
  id: string,
  payload: IntegrationSaved | { type: 'IntegrationRemoved'; id: string },
): Promise<void> {
  const envelope = actEnvelope({
    id,
    entityKey: ORGANIZATION_KEY,
    ...readingAt(Date.now()),
    settingsVersion: 0,
    by: null,
  });
  await log.append(INTAKE_TOPIC, [{ key: ORGANIZATION_KEY, value: encodeIntake({ envelope, payload }) }]);
  await fold();
}

async function fold(): Promise<void> {
  const projection = new Projection(database.db);
  for (const [partition, end] of (await log.ends(INTAKE_TOPIC)).entries()) {
    for (let next = await projection.open(partition); next < end; ) {
      for await (const records of log.read(INTAKE_TOPIC, partition, next, end)) {
        next = await projection.project(records);
      }
    }
  }
}

/** Runs a full sync of each integration, one after the other; returns how many changes of assets they brought. */
async function syncBoth(): Promise<number> {
  const before = await changes();
  for (const integration of [EDR, INVENTORY]) {
    await syncs.request(integration, { action: 'scheduled' }, Date.now());
    await database.pool.query(`update syncs set is_full = true where stage = 'QUEUED'`);
    const task = (await syncs.take(Date.now()))!;
    await runner.run(task, new AbortController().signal);
    await fold();
    const { rows } = await database.pool.query('select stage, status, errors from syncs where id = $1', [
      task.id,
    ]);
    expect(rows).toEqual([{ stage: 'COMPLETED', status: 0, errors: [] }]);
  }
  return (await changes()) - before;
}

/** Of assets: the history is what subscribers and webhooks get. */
async function changes(): Promise<number> {
  const { rows } = await database.pool.query('select count(*)::int as changes from asset_history');
  return rows[0].changes;
}

async function assets(): Promise<Asset[]> {
  const { rows } = await database.pool.query<{ state: Asset }>('select state from assets order by asset_no');
  return rows.map(({ state }) => state);
}

const statementsOf = (all: Asset[], source: string) =>
  all.flatMap(({ statements = [] }) => statements.filter((statement) => statement.source === source));

/** One story on one log: each test continues where the one before ended. */
describe('an EDR platform and an inventory that describe the same hosts', () => {
  it('both have their data at the assets, and another round changes nothing', async () => {
    expect(await syncBoth()).toBeGreaterThan(HOSTS);
    const all = await assets();
    expect(statementsOf(all, 'falcon')).toHaveLength(HOSTS);
    expect(statementsOf(all, 'axonius').length).toBeGreaterThan(HOSTS / 2);
    // The devices of the inventory have other addresses than the hosts.
    const both = all.find(({ statements = [] }) => statements.length === 2)!;
    const said = new Set(both.statements!.flatMap(({ ipAddresses = [] }) => ipAddresses));
    expect(new Set(both.ipAddresses)).toEqual(said);
    expect(await syncBoth()).toBe(0);
    expect(await syncBoth()).toBe(0);
    expect(await assets()).toEqual(all);
  });

  it('a renamed host takes its data to the asset of its new name in the same sync', async () => {
    const host = platforms.control.hosts.at(0)!;
    platforms.control.hosts.change(0, { hostname: 'renamed01' });
    await syncBoth();
    const ofDevice = (await assets()).filter(({ statements = [] }) =>
      statements.some(({ source, deviceId }) => source === 'falcon' && deviceId === host.device_id),
    );
    expect(ofDevice.map(({ hostname }) => hostname)).toEqual(['renamed01']);
    expect(await syncBoth()).toBe(0);
  });

  it('the data of an integration ends after it was removed, and the other one stays', async () => {
    const before = statementsOf(await assets(), 'axonius');
    await append(EDR, { type: 'IntegrationRemoved', id: EDR });
    const ended = await endStatementsOfRemoved({ db: database.db, log, trustedClock: bareClock(Date.now) });
    await fold();
    expect(ended).toBe(HOSTS);
    const all = await assets();
    expect(statementsOf(all, 'falcon')).toEqual([]);
    expect(statementsOf(all, 'axonius')).toEqual(before);
    for (const { ipAddresses, statements = [] } of all) {
      expect(ipAddresses).toEqual([...new Set(statements.flatMap((one) => one.ipAddresses ?? []))]);
    }
  });
});
