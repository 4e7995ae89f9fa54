import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DEFAULT_SETTINGS } from '#libs/domain';
import { type Egress, EgressError, openEgress } from '#libs/egress';
import {
  AXONIUS_KEYS,
  FALCON_CLIENTS,
  type FaultAct,
  type Simulators,
  startSimulators,
} from '../../../apps/simulators/src/index.ts';
import { TestRetryTiming } from '../../../test/fixtures/integrations/retry-timing.ts';
import type { Connector, PulledPage } from './connector.ts';
import { type ConnectorContext, connectorOf } from './connector-of.ts';
import { readMarks, writeMarks } from './falcon/falcon-watermark.ts';

const PAGE_SIZE = 20;
const HOSTS = 60;
const ALERTS = 100;
const HOST_PAGES = '/devices/combined/devices/v1';
const HOSTS_BY_ID = '/devices/entities/devices/v2';
const ALERT_PAGES = '/alerts/combined/alerts/v1';

let simulators: Simulators;
let egress: Egress;
beforeAll(() => {
  egress = openEgress({ allow: () => ['127.0.0.1'] });
});
afterAll(() => egress.close());
beforeEach(async () => {
  simulators = await startSimulators({ hosts: HOSTS, alerts: ALERTS, devices: 50, seed: 3, port: 0 });
});
afterEach(() => simulators.close());

const contextOf = (given: Partial<ConnectorContext>): ConnectorContext => ({
  settings: () => DEFAULT_SETTINGS,
  assets: async () => new Map(),
  retryTiming: new TestRetryTiming(Date.now()),
  pageSize: PAGE_SIZE,
  ...given,
});

const falcon = (
  tagFilters: string[] = [],
  given: Partial<ConnectorContext> = {},
  through = egress,
): Connector =>
  connectorOf(
    {
      subType: 'falcon',
      config: {
        url: simulators.url,
        clientId: FALCON_CLIENTS.full.id,
        tagFilters,
        autoOnboardNewAssets: true,
        updateExistingAssetsMetadata: true,
      },
      secrets: { clientSecret: FALCON_CLIENTS.full.secret },
    },
    through,
    contextOf(given),
  );

const axonius = (): Connector =>
  connectorOf(
    {
      subType: 'axonius',
      config: { url: simulators.url, apiKey: AXONIUS_KEYS.full.key, attackSurfaceTypes: ['Servers'] },
      secrets: { apiSecret: AXONIUS_KEYS.full.secret },
    },
    egress,
    contextOf({}),
  );

async function pull(connector: Connector, since: string | null = null) {
  const pages: PulledPage[] = [];
  for await (const page of connector.pull(since, new AbortController().signal)) pages.push(page);
  const signals = pages.flatMap((page) => page.signals);
  const ignored = new Map<string, number>();
  for (const page of pages) {
    for (const [why, count] of Object.entries(page.ignored))
      ignored.set(why, (ignored.get(why) ?? 0) + count);
  }
  return {
    failed: pages.flatMap(({ failed }) => failed.map(({ what, message }) => `${what}: ${message}`)),
    notices: [...new Set(pages.flatMap((page) => page.notices))],
    marks: pages.map(({ watermark }) => readMarks(watermark)),
    hosts: signals.filter(({ entityOnly }) => entityOnly).length,
    detections: signals.flatMap(({ securityContexts = [] }) => securityContexts).length,
    ignored: Object.fromEntries(ignored),
  };
}

const fault = (path: string, act: FaultAct, given: { nth?: number; times?: number | 'ever' } = {}) =>
  simulators.control.fault({ path, act, ...given });

describe('an error inside a success', () => {
  it.each([HOST_PAGES, ALERT_PAGES])('once, on %s, is requested again', async (path) => {
    fault(path, { kind: 'errorsIn200' }, { nth: 3 });
    expect(await pull(falcon())).toMatchObject({ failed: [], hosts: HOSTS, detections: ALERTS });
  });

  it('permanently is a failure; the next pages are read, and the watermark stays before it', async () => {
    // The first request counts.
    fault(HOST_PAGES, { kind: 'errorsIn200' }, { nth: 3, times: 6 });
    const pulled = await pull(falcon());
    expect(pulled.failed).toEqual([
      'hosts page 2: the response reports an error: 500 Internal Server Error: some records could not be read; 6 attempts failed',
      `hosts: ${PAGE_SIZE / 2} of ${HOSTS} are missing, although all pages were returned`,
    ]);
    expect(pulled).toMatchObject({ hosts: HOSTS - PAGE_SIZE / 2, detections: ALERTS });
    const [first, flawed, last] = pulled.marks.map(({ hosts }) => hosts);
    expect(first).not.toBeNull();
    expect([flawed, last]).toEqual([first, null]);
    expect(await pull(falcon(), writeMarks(pulled.marks.at(-1)!))).toMatchObject({
      failed: [],
      hosts: HOSTS,
    });
  });

  it('of the inventory is a failure too', async () => {
    fault('/api/devices', { kind: 'errorsIn200' }, { nth: 4, times: 'ever' });
    const { failed } = await pull(axonius());
    expect(failed[0]).toMatch(/^devices page 2: the response reports an error: Internal Server Error/);
  });

  it('fails its check of Test Connection', async () => {
    fault(HOST_PAGES, { kind: 'errorsIn200' }, { times: 'ever' });
    expect(await falcon().checks()).toMatchObject([
      { name: 'address', ok: true },
      { name: 'credentials', ok: true },
      { name: 'hosts', ok: false, message: expect.stringContaining('reports an error') },
      { name: 'alerts', ok: true },
    ]);
  });
});

describe('a page that lacks records without a word', () => {
  it.each([
    [HOST_PAGES, 'hosts', 'alerts'],
    [ALERT_PAGES, 'alerts', 'hosts'],
  ] as const)('on %s is a failure, and moves no watermark', async (path, section, other) => {
    fault(path, { kind: 'partialPage' }, { nth: 3 });
    const { failed, marks } = await pull(falcon());
    expect(failed).toEqual([expect.stringMatching(new RegExp(`^${section}: 10 of \\d+ are missing`))]);
    expect(marks.at(-1)![section]).toBeNull();
    expect(marks.at(-1)![other]).not.toBeNull();
  });
});

it('hosts that change during the pull hide no page that lacks records', async () => {
  fault(HOST_PAGES, { kind: 'partialPage' }, { nth: 3 });
  const { control } = simulators;
  const failed: string[] = [];
  for await (const page of falcon().pull(null, new AbortController().signal)) {
    failed.push(...page.failed.map(({ what, message }) => `${what}: ${message}`));
    if (page.progress.done !== PAGE_SIZE) continue;
    const read = new Set(page.signals.map(({ deviceId }) => deviceId));
    const numbers = [...control.hosts].flatMap(({ device_id }, number) =>
      read.has(device_id as string) ? [number] : [],
    );
    for (const number of numbers.slice(0, 12)) control.hosts.change(number, { local_ip: '10.9.9.9' });
  }
  expect(failed).toEqual([expect.stringMatching(/^hosts: \d+ of 60 are missing/)]);
});

describe('a total that is missing', () => {
  it('on some pages is taken from the others', async () => {
    fault(HOST_PAGES, { kind: 'noTotal' }, { nth: 2, times: 2 });
    expect(await pull(falcon())).toMatchObject({ failed: [], hosts: HOSTS });
  });

  it.each([HOST_PAGES, ALERT_PAGES])('on every page of %s is unknown, not none', async (path) => {
    fault(path, { kind: 'noTotal' }, { times: 'ever' });
    const { failed, hosts, detections } = await pull(falcon());
    expect({ hosts, detections }).toEqual({ hosts: HOSTS, detections: ALERTS });
    expect(failed).toEqual([
      expect.stringMatching(/^(hosts|alerts): the platform did not report the total number/),
    ]);
  });
});

describe('hosts of detections', () => {
  beforeEach(() => {
    for (let n = 0; n < HOSTS; n++) simulators.control.hosts.change(n, { tags: ['Chosen'] });
  });
  const chosen = () => pull(falcon(['Chosen']));

  it('that one response omits are requested again', async () => {
    fault(HOSTS_BY_ID, { kind: 'partialPage' }, { times: 'ever' });
    expect(await chosen()).toMatchObject({ failed: [], detections: ALERTS, ignored: {} });
  });

  it('that do not come are a failure, and not of other tags', async () => {
    fault('/devices/', { kind: 'partialPage' }, { nth: 5, times: 'ever' });
    const { failed, ignored, detections, marks } = await chosen();
    expect(failed).toContainEqual(
      expect.stringMatching(
        /^hosts of alerts page \d: \d+ requested hosts were not returned, so \d+ detections are skipped/,
      ),
    );
    expect(ignored).toEqual({});
    expect(detections).toBeLessThan(ALERTS);
    expect(marks.at(-1)!.alerts).toBeNull();
  });

  it('that the platform no longer has give no name to detections without one', async () => {
    const { control } = simulators;
    const { agent_id } = control.alerts.at(0)!;
    control.alerts.change(0, { device: null });
    const named = await pull(falcon());
    expect(named).toMatchObject({ failed: [], detections: ALERTS, ignored: {} });
    control.hosts.remove([...control.hosts].findIndex(({ device_id }) => device_id === agent_id));
    expect(await pull(falcon())).toMatchObject({
      failed: [],
      detections: ALERTS - 1,
      ignored: { goneHost: 1 },
    });
  });

  it('that the platform no longer has are counted as such', async () => {
    const { agent_id } = [...simulators.control.alerts][0]!;
    const at = [...simulators.control.hosts].findIndex(({ device_id }) => device_id === agent_id);
    simulators.control.hosts.remove(at);
    const { failed, ignored } = await chosen();
    const own = [...simulators.control.alerts].filter((alert) => alert.agent_id === agent_id).length;
    expect({ failed, ignored }).toEqual({ failed: [], ignored: { goneHost: own } });
  });
});

describe('an answer that is too large', () => {
  it('halves the page, continues, and grows again', async () => {
    const large = 'x'.repeat(30_000);
    for (const at of [25, 26, 27]) simulators.control.hosts.change(at, { os_version: large });
    const pulled = await pull(falcon([], { answerBytesMax: 50_000 }));
    expect(pulled).toMatchObject({ failed: [], hosts: HOSTS, detections: ALERTS });
  });

  it('with a single record is reported', async () => {
    simulators.control.hosts.change(25, { os_version: 'x'.repeat(60_000) });
    const { failed, detections } = await pull(falcon([], { answerBytesMax: 50_000 }));
    expect(failed).toEqual([
      expect.stringMatching(/^hosts page \d+: the response of .* exceeds 50000 bytes/),
    ]);
    expect(detections).toBe(ALERTS);
  });
});

describe('a page that does not come in time', () => {
  /** Pages of more records time out. */
  const limitMax = 5;
  let limits: number[];
  const slow: Egress = {
    ...{ stream: (request) => egress.stream(request), connect: (to) => egress.connect(to) },
    request: async (request) => {
      const { pathname, searchParams } = new URL(request.url);
      if (pathname === HOST_PAGES || pathname === ALERT_PAGES) {
        const limit = Number(searchParams.get('limit') ?? JSON.parse(`${request.body}`).limit);
        limits.push(limit);
        if (limit > limitMax) throw new EgressError('timeout', 'did not respond');
      }
      return egress.request(request);
    },
    close: async () => {},
  };
  beforeEach(() => {
    limits = [];
  });

  it('is requested again with half as many records, and the next ones with no more', async () => {
    const pulled = await pull(falcon([], {}, slow));
    expect(pulled).toMatchObject({ failed: [], hosts: HOSTS, detections: ALERTS });
    // The first two are the counts.
    const [hostLimits, alertLimits] = [limits.slice(2, 2 + 6 + HOSTS / 5), limits.slice(2 + 6 + HOSTS / 5)];
    const shrinking = [20, 20, 20, 10, 10, 10];
    expect(hostLimits).toEqual([...shrinking, ...Array(HOSTS / 5).fill(5)]);
    expect(alertLimits).toEqual([...shrinking, ...Array(ALERTS / 5).fill(5)]);
  });
});

describe('records that say too little', () => {
  it('of a host without name and id are a notice, and the pull is whole', async () => {
    simulators.control.hosts.change(4, { hostname: '', device_id: '' });
    const { failed, notices, ignored, hosts } = await pull(falcon());
    expect({ failed, ignored, hosts }).toEqual({ failed: [], ignored: { nameless: 1 }, hosts: HOSTS - 1 });
    expect(notices).toEqual([expect.stringContaining('neither a host name nor an id')]);
  });

  it('of detections in states that are unknown are named in a notice', async () => {
    simulators.control.alerts.change(4, { status: 'Triaged' });
    simulators.control.alerts.change(70, { status: 'Triaged' });
    const { failed, notices, detections } = await pull(falcon());
    expect({ failed, detections }).toEqual({ failed: [], detections: ALERTS });
    expect(notices).toEqual([expect.stringContaining('in the state "Triaged", which is unknown here')]);
  });
});
