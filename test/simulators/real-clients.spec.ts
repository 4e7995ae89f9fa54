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
  TENABLE_KEYS,
} from '../../apps/simulators/src/index.ts';
import { installPackages } from '../support/debian-packages.ts';
import { describeInRun } from '../support/part-of-run.ts';
import { PYTHON_MS_MAX, pythonWith } from '../support/python-environment.ts';
import { describeRealClients, NEEDED_PACKAGES } from './describe-real-clients.ts';

const run = promisify(execFile);
const at = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const RUN_MS_MAX = 120_000;
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;
const { full, hostsOnly, alertsOnly, withoutScopes } = FALCON_CLIENTS;
const DENIED = { status: 403, messages: ['access denied, authorization failed'] };
const ALLOWED = { status: 200, messages: [] };

describeInRun({ shares: 2, turn: 0 }, 'clients that are not ours', () => {
  let simulators: Simulators;
  beforeAll(async () => {
    simulators = await startSimulators({
      hosts: 2_300,
      alerts: 1_700,
      devices: 1_100,
      assets: 230,
      vulnerabilities: 900,
      seed: 7,
    });
  });
  afterAll(() => simulators.close());

  const idsOfHosts = () => Array.from(simulators.control.hosts, ({ device_id }) => device_id);
  const idsOfAlerts = () => Array.from(simulators.control.alerts, ({ composite_id }) => composite_id);
  const idsOfDevices = () =>
    Array.from(simulators.control.devices, ({ internal_axon_id }) => internal_axon_id);

  describeRealClients("the vendors' Python clients, unmodified", () => {
    let python: string;
    let tenablePython: string;
    beforeAll(async () => {
      await installPackages(NEEDED_PACKAGES);
      python = await pythonWith(at('requirements.txt'));
      tenablePython = await pythonWith(at('tenable-requirements.txt'));
    }, PYTHON_MS_MAX);

    async function said(program: string, ...args: string[]) {
      const interpreter = program.startsWith('tenable') ? tenablePython : python;
      const { stdout } = await run(interpreter, [at(program), simulators.url, ...args], {
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
            Array.from(devices).filter(
              (device) => (device['specific_data.data.tags'] as unknown[]).length > 0,
            ).length,
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

    describe('pyTenable', () => {
      const { full, withoutExport } = TENABLE_KEYS;

      it(
        'gets every asset and vulnerability, by both versions, and a second request joins a running export',
        async () => {
          const got = await said('tenable_client.py', full.accessKey, full.secretKey);
          const { assets, vulnerabilities } = simulators.control;
          const ids = Array.from(assets, ({ id }) => id);
          const sorted = (list: Iterable<string>) => [...list].sort();
          expect(sorted(got.assets)).toEqual(sorted(ids));
          expect(sorted(got.flat)).toEqual(sorted(ids));
          const withFqdn = Array.from(assets).filter(({ fqdns }) => fqdns.length > 0);
          expect(withFqdn.length).toBeGreaterThan(50);
          expect([got.fqdns, got.flatFqdns]).toEqual([withFqdn.length, withFqdn.length]);
          expect(sorted(got.vulnerabilities)).toEqual(
            sorted(Array.from(vulnerabilities, ({ finding_id }) => finding_id)),
          );
          expect(got.assetsOfVulnerabilities).toEqual(sorted(ids));
          expect(got.critical.length).toBeGreaterThan(20);
          expect(got.critical.length).toBeLessThan(900);
          expect(got).toMatchObject({ isAdopted: true, status: 'QUEUED', cancelled: 'CANCELLED' });
          expect(got.jobs).toEqual(['CANCELLED', 'FINISHED']);
        },
        RUN_MS_MAX,
      );

      it.each([
        ['a wrong secret', { ...full, secretKey: 'wrong' }, 'UnauthorizedError'],
        ['no permission to export', withoutExport, 'ForbiddenError'],
      ])('says so with %s', async (_, { accessKey, secretKey }, error) => {
        expect(await said('tenable_client.py', accessKey, secretKey, 'once')).toEqual({ error });
      });

      it(
        'waits after a 429, and reports an export that fails',
        async () => {
          const { control } = simulators;
          const path = '/vulns/export';
          control.fault({ path, act: { kind: 'rateLimited', retryAfterMs: 1_000, unit: 'seconds' } });
          control.fault({ method: 'POST', path, nth: 2, act: { kind: 'exportFails' } });
          const got = await said('tenable_client.py', full.accessKey, full.secretKey, 'once');
          expect(got).toEqual({ error: 'TioExportsError' });
          expect(control.waitingFaults).toEqual([]);
        },
        RUN_MS_MAX,
      );
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
        const page = await alerts.postCombinedAlertsV1({
          after,
          limit: 1_000,
          sort: 'created_timestamp|desc',
        });
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
});
