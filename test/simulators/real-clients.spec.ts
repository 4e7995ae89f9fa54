import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FalconClient, FalconErrorExplain } from 'crowdstrike-falcon';
import {
  AXONIUS_KEYS,
  FALCON_CLIENTS,
  type Simulators,
  startSimulators,
} from '../../apps/simulators/src/index.ts';
import { installPackages } from '../support/debian-packages.ts';
import { pythonWith } from '../support/python-environment.ts';
import { describeRealClients, NEEDED_PACKAGES } from './describe-real-clients.ts';

const run = promisify(execFile);
const at = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const INSTALL_MS_MAX = 600_000;
const RUN_MS_MAX = 120_000;
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;
const { full, hostsOnly, alertsOnly, withoutScopes } = FALCON_CLIENTS;
const DENIED = { status: 403, messages: ['access denied, authorization failed'] };
const ALLOWED = { status: 200, messages: [] };

let simulators: Simulators;
beforeAll(async () => {
  simulators = await startSimulators({ hosts: 2_300, alerts: 1_700, devices: 1_100, seed: 7 });
});
afterAll(() => simulators.close());

const idsOfHosts = () => Array.from(simulators.control.hosts, ({ device_id }) => device_id);
const idsOfAlerts = () => Array.from(simulators.control.alerts, ({ composite_id }) => composite_id);
const idsOfDevices = () => Array.from(simulators.control.devices, ({ internal_axon_id }) => internal_axon_id);

describeRealClients("the vendors' Python clients, unmodified", () => {
  let python: string;
  beforeAll(async () => {
    await installPackages(NEEDED_PACKAGES);
    python = await pythonWith(at('requirements.txt'));
  }, INSTALL_MS_MAX);

  async function said(program: string, ...args: string[]) {
    const { stdout } = await run(python, [at(program), simulators.url, ...args], {
      timeout: RUN_MS_MAX,
      maxBuffer: OUTPUT_BYTES_MAX,
    });
    return JSON.parse(stdout);
  }

  describe('crowdstrike-falconpy', () => {
    it(
      'gets every host and alert in every way, and is rejected as it expects',
      async () => {
        const got = await said('falcon_client.py', full.id, full.secret);
        expect(got.baseUrl).toBe(simulators.url);
        expect(got.scrolled).toEqual({
          ids: idsOfHosts(),
          totals: [2_300, 2_300, 2_300, 2_300, 0],
          lastOffset: '',
        });
        expect(got.hosts).toEqual(idsOfHosts());
        expect(got.hostDetails).toEqual(idsOfHosts());
        expect(got.combinedHosts).toEqual(idsOfHosts());
        expect(got.alerts).toEqual(idsOfAlerts());
        expect(got.alertDetails).toEqual(idsOfAlerts());
        expect(new Set(got.combinedAlerts)).toEqual(new Set(idsOfAlerts()));
        expect(got.combinedAlerts).toHaveLength(1_700);
        expect(got.detects).toEqual(Array.from(simulators.control.alerts, ({ id }) => `ldt:${id}`));
        const critical = Array.from(simulators.control.hosts).filter(({ tags }) =>
          tags.includes('FalconGroupingTags/Critical'),
        );
        expect(critical.length).toBeGreaterThan(100);
        expect(got.critical).toEqual(critical.map(({ device_id }) => device_id));
        expect(got.badFilter).toEqual({ status: 400, messages: ['Invalid filter expression supplied'] });
        expect(got.tooDeep.status).toBe(400);
        expect(got.tooManyIds.status).toBe(413);
        expect(got.revoked).toEqual({
          status: 200,
          afterwards: { status: 401, messages: ['access denied, invalid bearer token'] },
        });
      },
      RUN_MS_MAX,
    );

    it.each([
      ['Hosts alone', hostsOnly, ALLOWED, DENIED],
      ['Alerts alone', alertsOnly, DENIED, ALLOWED],
      ['nothing', withoutScopes, DENIED, DENIED],
    ])('with the scope of %s reads only that', async (_, { id, secret }, hosts, alerts) => {
      const token = { status: 201, messages: [] };
      expect(await said('falcon_client.py', id, secret, 'permissions')).toEqual({ token, hosts, alerts });
    });

    it.each([
      ['a wrong secret', full.id, 'wrong', 403],
      ['a malformed id', 'nobody', 'wrong', 400],
    ])('does not sign in with %s', async (_, id, secret, status) => {
      const { token } = await said('falcon_client.py', id, secret, 'permissions');
      expect(token.status).toBe(status);
      expect(token.messages).toHaveLength(1);
    });
  });

  describe('axonius-api-client', () => {
    it(
      'gets every device, and as many as are counted',
      async () => {
        simulators.control.clearRequests();
        const got = await said('axonius_client.py', AXONIUS_KEYS.full.key, AXONIUS_KEYS.full.secret);
        expect(got).toMatchObject({ about: '6.1.0', count: 1_100, devices: idsOfDevices() });
        const { devices } = simulators.control;
        expect(got.withTags).toBe(
          Array.from(devices).filter((device) => (device['specific_data.data.tags'] as unknown[]).length > 0)
            .length,
        );
        const matching = Array.from(devices).filter(
          (device) =>
            [device['specific_data.data.name']].flat().some((name) => String(name).startsWith('INV-')) &&
            device.labels.includes('PCI'),
        );
        expect(matching.length).toBeGreaterThan(20);
        expect(got.matching).toEqual(matching.map(({ internal_axon_id }) => internal_axon_id));
        expect(got.matchingCount).toBe(matching.length);
        expect(got.labels).toEqual(['Crown Jewels', 'Decommission soon', 'Lab', 'PCI']);
        expect(got.byId).toBe(idsOfDevices()[0]);
        // Two filters, each counted before its list and by itself, and not ready when it was first.
        expect(simulators.control.requestCounts['POST /api/devices/count']).toBe(6);
      },
      RUN_MS_MAX,
    );

    it.each([
      ['a wrong secret', { ...AXONIUS_KEYS.full, secret: 'wrong' }, 'ConnectError', /Invalid Credentials/],
      ['no permission to see devices', AXONIUS_KEYS.withoutDevices, 'ResponseNotOk', /403/],
    ])('says so with %s', async (_, { key, secret }, error, message) => {
      const got = await said('axonius_client.py', key, secret);
      expect(got).toEqual({ error, message: expect.stringMatching(message) });
    });
  });
});

/** It knows only the public hosts: its requests are redirected to the simulators. */
function falconClient({ id, secret }: { id: string; secret: string }): FalconClient {
  const fetchApi: typeof fetch = (url, init) =>
    fetch(String(url).replace('https://api.crowdstrike.com', simulators.url), init);
  return new FalconClient({ cloud: 'us-1', clientId: id, clientSecret: secret, fetchApi });
}

describe('crowdstrike-falcon (npm), unmodified', () => {
  it('gets every host and alert, by scrolling and combined', async () => {
    const { hosts, alerts } = falconClient(full);
    const scrolled: string[] = [];
    for (let offset: string | undefined; offset !== ''; ) {
      const { meta, resources } = await hosts.queryDevicesByFilterScroll(offset, 1_000);
      scrolled.push(...resources);
      offset = meta.pagination?.offset ?? '';
    }
    expect(scrolled).toEqual(idsOfHosts());

    const combined: string[] = [];
    for (let offset: string | undefined; offset !== ''; ) {
      const { meta, resources } = await hosts.combinedDevicesByFilter(offset, 1_000);
      combined.push(...resources.map(({ deviceId }) => deviceId));
      offset = meta.pagination?.next ?? '';
    }
    expect(combined).toEqual(idsOfHosts());

    const details = await hosts.postDeviceDetailsV2({ ids: scrolled });
    expect(details.resources.map(({ deviceId }) => deviceId)).toEqual(scrolled);

    const { resources: ids } = await alerts.queryV2(undefined, undefined, 5_000);
    expect(ids).toEqual(idsOfAlerts());
    const found: string[] = [];
    let after: string | undefined;
    do {
      const page = await alerts.postCombinedAlertsV1({ after, limit: 1_000, sort: 'created_timestamp|desc' });
      found.push(...page.resources.map(({ compositeId }) => compositeId));
      after = page.meta.pagination?.after;
    } while (after !== undefined);
    expect(found).toHaveLength(1_700);
    expect(new Set(found)).toEqual(new Set(ids));
    const entities = await alerts.getV2({ compositeIds: ids.slice(0, 1_000) });
    expect(entities.resources.map(({ compositeId }) => compositeId)).toEqual(ids.slice(0, 1_000));
  });

  it.each([
    ['a wrong secret', { ...full, secret: 'wrong' }, 'Failed to issue access token - Not Authorized'],
    ['no Alerts scope', hostsOnly, 'access denied, authorization failed'],
  ])('says so with %s', async (_, client, message) => {
    const error = await falconClient(client)
      .alerts.queryV2()
      .catch((error) => error);
    expect(await FalconErrorExplain(error)).toBe(message);
  });
});
