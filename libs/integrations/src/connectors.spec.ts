import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DEFAULT_SETTINGS, type Settings, type Signal } from '#libs/domain';
import { type Egress, openEgress } from '#libs/egress';
import {
  AXONIUS_KEYS,
  FALCON_CLIENTS,
  type Simulators,
  startSimulators,
} from '../../../apps/simulators/src/index.ts';
import { everyHost } from '../../../test/fixtures/integrations/contract-platforms.ts';
import { readingOf, settingsWith } from '../../../test/fixtures/integrations/reading.ts';
import { TestRetryTiming } from '../../../test/fixtures/integrations/retry-timing.ts';
import type { AssetLookup } from './asset-lookup.ts';
import type { Connector, PulledPage, PulledSignal } from './connector.ts';
import { connectorOf } from './connector-of.ts';
import { isFailingAlert, OPEN_STATES } from './falcon/alert-state.ts';
import { hostName } from './falcon/host-name.ts';

const PAGE_SIZE = 50;
const HOSTS = 120;
const ALERTS = 210;
const DEVICES = 130;

let simulators: Simulators;
let egress: Egress;
let retryTiming: TestRetryTiming;
beforeAll(() => {
  egress = openEgress({ allow: () => ['127.0.0.1'] });
});
afterAll(() => egress.close());
beforeEach(async () => {
  retryTiming = new TestRetryTiming(Date.now());
  simulators = await startSimulators({ hosts: HOSTS, alerts: ALERTS, devices: DEVICES, seed: 7, port: 0 });
});
afterEach(() => simulators.close());

const NO_ASSETS: AssetLookup = async () => new Map();

function falcon(
  config: { tagFilters?: string[] } = {},
  client: { id: string; secret: string } = FALCON_CLIENTS.full,
): Connector {
  return connectorOf(
    {
      subType: 'falcon',
      config: {
        url: `${simulators.url}/`,
        clientId: client.id,
        tagFilters: [],
        autoOnboardNewAssets: true,
        updateExistingAssetsMetadata: true,
        ...config,
      },
      secrets: { clientSecret: client.secret },
    },
    egress,
    { settings: () => DEFAULT_SETTINGS, assets: NO_ASSETS, retryTiming, pageSize: PAGE_SIZE },
  );
}

function axonius(
  assets: AssetLookup = NO_ASSETS,
  attackSurfaceTypes = ['Servers'],
  user: { key: string; secret: string } = AXONIUS_KEYS.full,
  assetMatching: Settings['assetMatching'] = 'name',
): Connector {
  return connectorOf(
    {
      subType: 'axonius',
      config: { url: simulators.url, apiKey: user.key, attackSurfaceTypes },
      secrets: { apiSecret: user.secret },
    },
    egress,
    {
      settings: () => ({ ...settingsWith('assetinventory-id', 'env'), assetMatching }),
      assets,
      retryTiming,
      pageSize: PAGE_SIZE,
    },
  );
}

interface Pulled {
  pages: PulledPage[];
  signals: PulledSignal[];
  failed: string[];
  records: number;
  watermark: string | null;
}

async function pull(connector: Connector, since: string | null = null): Promise<Pulled> {
  const pages: PulledPage[] = [];
  for await (const page of connector.pull(since, new AbortController().signal)) pages.push(page);
  return {
    pages,
    signals: pages.flatMap(({ signals }) => signals),
    failed: pages.flatMap(({ failed }) => failed.map(({ what, message }) => `${what}: ${message}`)),
    records: pages.reduce((sum, { records }) => sum + records, 0),
    watermark: pages.at(-1)?.watermark ?? null,
  };
}

const hostsIn = ({ signals }: Pulled) => signals.filter(({ entityOnly }) => entityOnly === true);
const detectionsIn = ({ signals }: Pulled) =>
  new Map(
    signals.flatMap(({ securityContexts = [] }) =>
      securityContexts.map(({ detectionId, status }) => [String(detectionId), status?.complianceStatus]),
    ),
  );
const allDetections = () =>
  new Map(
    [...simulators.control.alerts].map((alert) => [
      alert.composite_id,
      isFailingAlert(alert) ? 'fail' : 'pass',
    ]),
  );

const HOST_PAGES = '/devices/combined/devices/v1';
const ALERT_PAGES = '/alerts/combined/alerts/v1';

describe('a pull from the EDR platform', () => {
  it('returns every host and every detection once, and the service accepts all of them', async () => {
    const pulled = await pull(falcon());
    expect(pulled.failed).toEqual([]);
    expect(pulled.records).toBe(HOSTS + ALERTS);
    const names = [...simulators.control.hosts].map((host) => hostName(host));
    expect(
      hostsIn(pulled)
        .map(({ entity }) => entity.name)
        .sort(),
    ).toEqual(names.sort());
    expect(detectionsIn(pulled)).toEqual(allDetections());
    expect(pulled.pages.at(-1)!.progress).toEqual({ done: HOSTS + ALERTS, of: HOSTS + ALERTS });
    const known = new Set(names);
    for (const signal of pulled.signals) {
      readingOf(signal);
      expect(known.has(signal.entity.name)).toBe(true);
    }
  });

  it('returns records that changed since the watermark, those of the overlap, and every open detection', async () => {
    const { control } = simulators;
    const open = () => [...control.alerts].filter(({ status }) => OPEN_STATES.includes(status));
    const { watermark } = await pull(falcon());
    control.advance(3_600_000);
    control.hosts.change(3, { tags: ['FalconGroupingTags/new'] });
    control.alerts.change(5, { status: 'closed', tags: ['false_positive'] });
    const added = control.alerts.at(control.addAlert(4, { status: 'new', tags: [] }))!;
    const delta = await pull(falcon(), watermark);
    expect(delta.failed).toEqual([]);
    expect(delta.records).toBeLessThan(open().length + 50);
    const tagsOf = (signal: Signal) => signal.entity.entityAttributes?.tags?.['edrsource-tags'];
    expect(hostsIn(delta).map(tagsOf)).toContainEqual(['FalconGroupingTags/new']);
    const detections = detectionsIn(delta);
    expect(detections.get(control.alerts.at(5)!.composite_id)).toBe('pass');
    expect(detections.get(added.composite_id)).toBe('fail');
    expect([...detections.keys()]).toEqual(
      expect.arrayContaining(open().map(({ composite_id }) => composite_id)),
    );
    control.advance(3_600_000);
    const quiet = await pull(falcon(), delta.watermark);
    // The overlap also has one host and one closed detection.
    expect(quiet.records).toBe(open().length + 2);
    expect(quiet.watermark).toBe(delta.watermark);
  });

  it('brings an open detection again to a host that has one of the tags only since (ADR-0059)', async () => {
    const { control } = simulators;
    const number = [...control.alerts].findIndex(({ status }) => status === 'new');
    const { agent_id, composite_id } = control.alerts.at(number)!;
    const chosen = () => falcon({ tagFilters: ['Chosen'] });
    const before = await pull(chosen());
    expect(detectionsIn(before).size).toBe(0);
    control.advance(3_600_000);
    const at = [...control.hosts].findIndex(({ device_id }) => device_id === agent_id);
    control.hosts.change(at, { tags: ['Chosen'] });
    const delta = await pull(chosen(), before.watermark);
    expect(detectionsIn(delta).get(composite_id)).toBe('fail');
  });

  it('misses nothing after a record that is dated ahead', async () => {
    const { control } = simulators;
    const ahead = new Date(Date.now() + 20 * 3_600_000).toISOString();
    control.alerts.change(0, { status: 'closed', updated_timestamp: ahead });
    const { watermark } = await pull(falcon());
    control.alerts.change(1, { status: 'closed', tags: ['ignored'] });
    const changed = control.alerts.at(1)!.composite_id;
    expect([...detectionsIn(await pull(falcon(), watermark)).keys()]).toContain(changed);
  });

  it('misses nothing that changes while it pages', async () => {
    const { control } = simulators;
    const connector = falcon();
    const seen = new Map<string, unknown>();
    let pages = 0;
    let watermark: string | null = null;
    const note = ({ securityContexts = [] }: Signal) => {
      for (const { detectionId, status } of securityContexts)
        seen.set(String(detectionId), status?.workflowStatus);
    };
    for await (const page of connector.pull(null, new AbortController().signal)) {
      page.signals.forEach(note);
      ({ watermark } = page);
      control.advance(1_000);
      control.alerts.change((pages++ * 37) % ALERTS, { status: 'in_progress', tags: [] });
    }
    for await (const page of connector.pull(watermark, new AbortController().signal))
      page.signals.forEach(note);
    expect(seen).toEqual(new Map([...control.alerts].map((alert) => [alert.composite_id, alert.status])));
  });

  it('keeps to hosts with one of the tags, and to their detections as the tags are now (R-EDR-4)', async () => {
    const { control } = simulators;
    const [first] = control.alerts;
    const number = [...control.hosts].findIndex(({ device_id }) => device_id === first!.agent_id);
    control.hosts.change(number, { tags: ['SensorGroupingTags/Chosen'] });
    const other = control.hosts.add({ hostname: 'plainly-tagged', tags: ['Chosen', 'x'] });
    const pulled = await pull(falcon({ tagFilters: ['Chosen'] }));
    expect(pulled.failed).toEqual([]);
    const names = [number, other].map((at) => hostName(control.hosts.at(at)!));
    expect(new Set(hostsIn(pulled).map(({ entity }) => entity.name))).toEqual(new Set(names));
    const own = [...control.alerts].filter(({ agent_id }) => agent_id === first!.agent_id);
    expect([...detectionsIn(pulled).keys()].sort()).toEqual(
      own.map(({ composite_id }) => composite_id).sort(),
    );
    const ignored = pulled.pages.reduce((sum, page) => sum + (page.ignored.otherTags ?? 0), 0);
    expect(ignored).toBe(ALERTS - own.length);
  });

  it('assigns detections without a host name, and skips detections without a host', async () => {
    const { control } = simulators;
    const host = control.hosts.at(9)!;
    const bare = control.alerts.at(control.alerts.add({ agent_id: host.device_id, device: null }))!;
    control.alerts.add({ agent_id: '', device: null, product: 'idp' });
    const pulled = await pull(falcon());
    const placed = pulled.signals.find(({ securityContexts = [] }) =>
      securityContexts.some(({ detectionId }) => detectionId === bare.composite_id),
    );
    expect(placed?.entity.name).toBe(hostName(host));
    expect(pulled.pages.reduce((sum, page) => sum + (page.ignored.noHost ?? 0), 0)).toBe(1);
    expect(pulled.failed).toEqual([]);
  });
});

describe('faults of the EDR platform', () => {
  const complete = (pulled: Pulled) => {
    expect(pulled.failed).toEqual([]);
    expect(hostsIn(pulled)).toHaveLength(HOSTS);
    expect(detectionsIn(pulled)).toEqual(allDetections());
  };

  it.each([
    ['an expired token', { kind: 'expiredToken' }],
    [
      '429 until an instant in milliseconds',
      { kind: 'rateLimited', retryAfterMs: 5_000, unit: 'milliseconds' },
    ],
    ['429 until an instant in seconds', { kind: 'rateLimited', retryAfterMs: 5_000, unit: 'seconds' }],
    ['a repeated page', { kind: 'repeatedPage' }],
  ] as const)('%s in the middle leaves the pull complete', async (_, act) => {
    // The first request to each counts.
    for (const path of [HOST_PAGES, ALERT_PAGES]) simulators.control.fault({ path, nth: 3, act });
    complete(await pull(falcon()));
    expect(simulators.control.waitingFaults).toEqual([]);
  });

  it('a page that fails permanently ends only its kind of records; the next pull continues from there', async () => {
    const { control } = simulators;
    control.fault({ path: HOST_PAGES, nth: 3, times: 'ever', act: { kind: 'status', status: 503 } });
    const pulled = await pull(falcon());
    expect(pulled.failed).toEqual(['hosts page 2: the platform failed (status 503); 16 attempts failed']);
    expect(hostsIn(pulled)).toHaveLength(PAGE_SIZE);
    expect(detectionsIn(pulled)).toEqual(allDetections());
    control.clearFaults();
    const rest = await pull(falcon(), pulled.watermark);
    expect(rest.failed).toEqual([]);
    expect(rest.records).toBeLessThan(HOSTS + ALERTS);
    const names = new Set([...hostsIn(pulled), ...hostsIn(rest)].map(({ entity }) => entity.name));
    expect(names.size).toBe(HOSTS);
  });

  it('a cursor that is rejected is done without, and a request that is rejected from the start is not', async () => {
    const { control } = simulators;
    for (const path of [HOST_PAGES, ALERT_PAGES]) {
      control.fault({ path, nth: 3, act: { kind: 'status', status: 400 } });
    }
    const pulled = await pull(falcon());
    expect(pulled.failed).toEqual([]);
    expect(new Set(hostsIn(pulled).map(({ entity }) => entity.name)).size).toBe(HOSTS);
    expect(detectionsIn(pulled)).toEqual(allDetections());
    control.fault({ path: HOST_PAGES, times: 'ever', act: { kind: 'status', status: 400 } });
    expect((await pull(falcon())).failed).toEqual([
      expect.stringMatching(/^hosts page 1: the request was rejected \(status 400/),
    ]);
  });

  describe('after an incomplete page and a complete one', () => {
    const MORE_HOSTS = HOSTS + 60;
    beforeEach(() => {
      const { hosts } = simulators.control;
      while (hosts.size < MORE_HOSTS) hosts.add({ hostname: `added-${hosts.size}` });
    });
    const makeIncomplete = () =>
      simulators.control.fault({ path: HOST_PAGES, nth: 3, act: { kind: 'partialPage' } });

    it('a rejected cursor is a failure, and the next pull brings all', async () => {
      makeIncomplete();
      simulators.control.fault({ path: HOST_PAGES, nth: 5, act: { kind: 'status', status: 400 } });
      const pulled = await pull(falcon());
      expect(pulled.failed).toEqual([expect.stringMatching(/^hosts: 25 of \d+ are missing/)]);
      const again = await pull(falcon(), pulled.watermark);
      expect(again.failed).toEqual([]);
      expect(hostsIn(again)).toHaveLength(MORE_HOSTS);
    });

    const interrupted = async () => {
      for await (const page of falcon().pull(null, new AbortController().signal)) {
        if (page.progress.done > 2 * PAGE_SIZE) return page.watermark;
      }
      return null;
    };

    it.each([500, 400])(
      'an outage with status %d leaves the place of an interrupted pull',
      async (status) => {
        const since = await interrupted();
        for (const path of [HOST_PAGES, ALERT_PAGES]) {
          simulators.control.fault({ path, times: 'ever', act: { kind: 'status', status } });
        }
        expect(await pull(falcon(), since)).toMatchObject({
          signals: [],
          watermark: since,
          failed: expect.arrayContaining([
            expect.stringMatching(new RegExp(`^hosts page 1: .*status ${status}`)),
          ]),
        });
        simulators.control.clearFaults();
        const resumed = await pull(falcon(), since);
        expect(resumed.failed).toEqual([]);
        expect(hostsIn(resumed).length).toBeLessThan(MORE_HOSTS);
      },
    );

    it('the pull after an interrupted one begins again; after complete ones it does not', async () => {
      const resumed = await pull(falcon(), await interrupted());
      expect(resumed.failed).toEqual([]);
      expect(hostsIn(resumed).length).toBeLessThan(HOSTS);
      makeIncomplete();
      const again = await pull(falcon(), await interrupted());
      expect(again.failed).toEqual([]);
      expect(hostsIn(again)).toHaveLength(MORE_HOSTS);
    });
  });

  it('a missing page is noticed, and the next pull brings it', async () => {
    const { control } = simulators;
    control.fault({ path: ALERT_PAGES, nth: 3, act: { kind: 'missingPage' } });
    const pulled = await pull(falcon());
    expect(pulled.failed).toEqual([
      `alerts: ${PAGE_SIZE} of ${ALERTS} are missing, although all pages were returned`,
    ]);
    const again = await pull(falcon(), pulled.watermark);
    expect(again.failed).toEqual([]);
    expect(detectionsIn(again)).toEqual(allDetections());
  });

  it('a lost scope leaves the other kind of records whole', async () => {
    simulators.control.setScopes(FALCON_CLIENTS.full.id, ['hosts:read']);
    const pulled = await pull(falcon());
    expect(pulled.failed).toEqual([
      expect.stringMatching(/^alerts page 1: the API client has no permission to read this \(status 403/),
    ]);
    expect(hostsIn(pulled)).toHaveLength(HOSTS);
  });
});

describe('Test Connection of the EDR platform', () => {
  const told = async (connector: Connector) =>
    (await connector.checks()).map(({ name, ok, message }) => `${name} ${ok ? 'ok' : 'failed'}: ${message}`);

  it('makes every check', async () => {
    expect(await told(falcon())).toEqual([
      'address ok: the address responds',
      'credentials ok: client id and secret are accepted',
      `hosts ok: the scope Hosts: Read is granted: ${HOSTS} found`,
      `alerts ok: the scope Alerts: Read is granted: ${ALERTS} found`,
    ]);
  });

  it('names each scope that is missing', async () => {
    const [, , hosts, alerts] = await told(falcon({}, FALCON_CLIENTS.withoutScopes));
    expect(hosts).toMatch(/^hosts failed: give the API client the scope Hosts: Read: .*status 403/);
    expect(alerts).toMatch(/^alerts failed: give the API client the scope Alerts: Read: .*status 403/);
  });
});

describe('a pull from the asset inventory', () => {
  it('describes every device that is a known asset, and only that', async () => {
    const pulled = await pull(axonius(everyHost));
    expect(pulled.failed).toEqual([]);
    expect(pulled.records).toBe(DEVICES);
    expect(pulled.signals).toHaveLength(DEVICES);
    expect(pulled.pages.at(-1)!.progress).toEqual({ done: DEVICES, of: DEVICES });
    const ids = [...simulators.control.devices].map(({ internal_axon_id }) => internal_axon_id);
    const environments = new Set<string | undefined>();
    const given = pulled.signals.map((signal) => {
      const { payload } = readingOf(signal, settingsWith('assetinventory-id', 'env'));
      if (payload.type !== 'AssetDescribed') throw new Error(payload.type);
      expect(payload.entity.tags).toEqual({});
      environments.add(payload.entity.customFields.env?.[0]);
      return payload.entity.customFields['assetinventory-id']?.[0];
    });
    expect([...environments].sort()).toEqual(['prod', 'test', undefined]);
    expect(given.sort()).toEqual(ids.sort());
    expect(axonius().rules).toEqual({ importAssets: false, updateMetadata: true, overrideAccepted: false });
  });

  it('skips unknown assets, and assets of other attack surfaces', async () => {
    const unknown = await pull(axonius());
    expect(unknown.signals).toEqual([]);
    expect(unknown.pages.reduce((sum, { ignored }) => sum + (ignored.unmatched ?? 0), 0)).toBe(DEVICES);
    const others = await pull(axonius(everyHost, ['Endpoints']));
    expect(others.signals).toEqual([]);
    expect(others.pages[0]!.ignored.otherAttackSurface).toBe(PAGE_SIZE);
  });

  it('skips a device with only a name that every machine has, also if an asset is called so', async () => {
    simulators.control.devices.add({
      internal_axon_id: 'f'.repeat(32),
      'specific_data.data.hostname': 'localhost',
      'specific_data.data.fqdn': 'localhost.localdomain',
      'specific_data.data.name': 'localhost',
    });
    const pulled = await pull(axonius(everyHost));
    expect(pulled.signals).toHaveLength(DEVICES);
    expect(pulled.pages.at(-2)!.ignored).toEqual({ unmatched: 1 });
  });

  it('describes an asset by each of its devices', async () => {
    const [first] = simulators.control.devices;
    simulators.control.devices.add({ ...first, internal_axon_id: 'f'.repeat(32) });
    const pulled = await pull(axonius(everyHost));
    expect(pulled.signals).toHaveLength(DEVICES + 1);
    expect(new Set(pulled.signals.map(({ deviceId }) => deviceId)).size).toBe(DEVICES + 1);
  });

  it.each([
    ['one asset of each FQDN', ['twin.a.example', 'twin.b.example'], ['twin.a.example', 'twin.b.example']],
    ['the only asset, and no device of another FQDN', ['twin.b.example'], ['twin.b.example']],
  ])('describes %s if FQDNs distinguish assets of one host name (R-ASSET-2)', async (_, fqdns, described) => {
    const lookup: AssetLookup = async (names) =>
      new Map(
        names.flatMap((name) => {
          // A host name that several assets have means none of them.
          const [asset, ...others] = fqdns.filter((fqdn) => fqdn === name || name === 'twin');
          if (asset === undefined || others.length > 0) return [];
          return [[name, { id: asset, fqdn: asset, attackSurface: 'Servers' }]];
        }),
      );
    for (const [n, fqdn] of ['twin.c.example', 'twin.a.example', 'twin.b.example'].entries()) {
      simulators.control.devices.add({
        internal_axon_id: String(n).repeat(32),
        'specific_data.data.hostname': 'twin',
        'specific_data.data.name': 'twin',
        'specific_data.data.fqdn': fqdn,
      });
    }
    const { signals } = await pull(axonius(lookup, ['Servers'], AXONIUS_KEYS.full, 'fqdn'));
    expect(signals.map(({ entity }) => entity.name)).toEqual(described);
  });

  it('asks for nothing if no assets are updated because attackSurfaceTypes is empty, and says so (R-INV-1)', async () => {
    const pulled = await pull(axonius(everyHost, []));
    expect(pulled.pages).toHaveLength(1);
    expect(pulled.pages[0]!.notices).toEqual([
      expect.stringContaining('no assets are updated because attackSurfaceTypes is empty'),
    ]);
    expect(simulators.control.requests).toEqual([]);
  });

  it('notices a missing page', async () => {
    simulators.control.fault({ path: '/api/devices', nth: 4, act: { kind: 'missingPage' } });
    const { failed } = await pull(axonius(everyHost));
    expect(failed).toEqual([expect.stringMatching(/^devices: \d+ of 130 are missing/)]);
  });
});

describe('Test Connection of the asset inventory', () => {
  const told = async (connector: Connector) =>
    (await connector.checks()).map(({ name, ok, message }) => `${name} ${ok ? 'ok' : 'failed'}: ${message}`);

  it('makes exactly the documented request', async () => {
    expect(await told(axonius())).toEqual([
      'address ok: the address responds',
      'credentials ok: API key and secret are accepted',
      'devices ok: a device was returned',
    ]);
    expect(simulators.control.requests).toHaveLength(1);
    const [{ method, path, asked }] = simulators.control.requests as [
      (typeof simulators.control.requests)[0],
    ];
    expect([method, path]).toEqual(['POST', '/api/devices']);
    expect(asked).toEqual({
      meta: null,
      data: {
        type: 'entity_request_schema',
        attributes: {
          page: { offset: 0, limit: 1 },
          use_cache_entry: false,
          always_cached_query: false,
          get_metadata: true,
          include_details: true,
          fields: { devices: expect.any(Array) },
        },
      },
    });
  });

  it('distinguishes wrong credentials and a missing permission', async () => {
    const [, wrong] = await told(axonius(NO_ASSETS, [], { key: 'x', secret: 'y' }));
    expect(wrong).toMatch(/^credentials failed: API key and secret are not accepted \(status 401/);
    const [, , denied] = await told(axonius(NO_ASSETS, [], AXONIUS_KEYS.withoutDevices));
    expect(denied).toMatch(
      /^devices failed: the user has no permission to view device assets through the API \(status 403/,
    );
  });
});
