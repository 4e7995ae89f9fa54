import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Egress, openEgress } from '#libs/egress';
import { type FaultAct, type Simulators, startSimulators } from '../../../apps/simulators/src/index.ts';
import { CONTRACT_PLATFORMS, everyHost } from '../../../test/fixtures/integrations/contract-platforms.ts';
import { readingOf, settingsWith } from '../../../test/fixtures/integrations/reading.ts';
import { TestRetryTiming } from '../../../test/fixtures/integrations/retry-timing.ts';
import type { Connector, PulledPage, PulledSignal } from './connector.ts';
import { CONNECTOR_KINDS } from './connector-kinds.ts';
import { connectorOf } from './connector-of.ts';

const SIZES = { hosts: 120, alerts: 210, devices: 130, assets: 240, vulnerabilities: 700, seed: 7 };

let egress: Egress;
const inAnotherOrder = (_key: string, value: unknown) =>
  Array.isArray(value) && value.every((item) => typeof item === 'string') ? value.toReversed() : value;
/** A platform that returns the texts of each list in another order. */
const reordering = (): Egress => ({
  ...egress,
  async request(asked) {
    const answer = await egress.request(asked);
    const body = JSON.stringify(JSON.parse(answer.body.toString()), inAnotherOrder);
    return { ...answer, body: Buffer.from(body) };
  },
});
beforeAll(() => {
  egress = openEgress({ allow: () => ['127.0.0.1'] });
});
afterAll(() => egress.close());

interface Pulled {
  pages: PulledPage[];
  signals: PulledSignal[];
  failed: string[];
  watermark: string | null;
}

async function pull(
  connector: Connector,
  since: string | null = null,
  signal = new AbortController().signal,
): Promise<Pulled> {
  const pages: PulledPage[] = [];
  for await (const page of connector.pull(since, signal)) pages.push(page);
  return {
    pages,
    signals: pages.flatMap(({ signals }) => signals),
    failed: pages.flatMap(({ failed }) => failed.map(({ what, message }) => `${what}: ${message}`)),
    watermark: pages.at(-1)?.watermark ?? null,
  };
}

const sorted = (texts: Iterable<string>) => [...texts].sort();
const devicesOf = ({ signals }: Pulled) => signals.flatMap(({ deviceId }) => deviceId ?? []);
const instancesOf = ({ signals }: Pulled) =>
  signals.flatMap(({ securityContexts = [] }) =>
    securityContexts.map(({ detectionId }) => String(detectionId)),
  );
const contentOf = ({ signals }: Pulled) => sorted(signals.map((signal) => JSON.stringify(signal)));

/** Faults that a retry corrects. */
const PASSING: [string, FaultAct][] = [
  ['429 with a time', { kind: 'rateLimited', retryAfterMs: 5_000, unit: 'seconds' }],
  ['429 without a time', { kind: 'rateLimited', retryAfterMs: 5_000, unit: 'none' }],
  ['500', { kind: 'status', status: 500 }],
  ['a cut answer', { kind: 'cut' }],
  ['garbage', { kind: 'garbage' }],
];

it('every kind has contract tests, and its account and secret are fields of the configuration', () => {
  expect(CONTRACT_PLATFORMS.map(({ subType }) => subType)).toEqual(Object.keys(CONNECTOR_KINDS));
  for (const [subType, kind] of Object.entries(CONNECTOR_KINDS)) expect(kind.subType).toBe(subType);
});

describe.each(CONTRACT_PLATFORMS)('the connector to $subType', (platform) => {
  const kind = CONNECTOR_KINDS[platform.subType];
  let simulators: Simulators;
  let retryTiming: TestRetryTiming;
  beforeEach(async () => {
    simulators = await startSimulators(SIZES);
    retryTiming = new TestRetryTiming(Date.now());
  });
  afterEach(() => simulators.close());

  function connector(login = platform.login, url = simulators.url, through = egress): Connector {
    return connectorOf(
      {
        subType: platform.subType,
        config: { ...platform.config, url, [kind.account]: login.account },
        secrets: { [kind.secret]: login.secret },
      },
      through,
      { settings: () => settingsWith('env', 'site'), assets: everyHost, retryTiming, pageSize: 50 },
    );
  }

  const expectComplete = (pulled: Pulled) => {
    const { control } = simulators;
    expect(pulled.failed).toEqual([]);
    expect(sorted(new Set(devicesOf(pulled)))).toEqual(sorted(platform.devices(control)));
    expect(sorted(new Set(instancesOf(pulled)))).toEqual(sorted(platform.instances(control)));
  };

  it('returns every record once, in several pages, as signals that the service accepts', async () => {
    const pulled = await pull(connector());
    expectComplete(pulled);
    expect(devicesOf(pulled)).toHaveLength(platform.devices(simulators.control).length);
    expect(pulled.pages.length).toBeGreaterThan(2);
    expect(pulled.pages.reduce((sum, { records }) => sum + records, 0)).toBe(
      platform.records(simulators.control),
    );
    const { done, of } = pulled.pages.at(-1)!.progress;
    expect(done).toBe(of);
    for (const signal of pulled.signals) readingOf(signal, settingsWith('env', 'site'));
  });

  it('returns equal signals for unchanged data in any order, so that the next pull writes nothing', async () => {
    platform.addValues(simulators.control);
    const first = await pull(connector());
    const next = await pull(connector(platform.login, simulators.url, reordering()));
    expect(contentOf(next)).toEqual(contentOf(first));
  });

  it('continues from the watermark, with what changed since then', async () => {
    const { control } = simulators;
    const { watermark } = await pull(connector());
    control.advance(3 * 24 * 3_600_000);
    const changed = platform.changeDevice(control);
    const delta = await pull(connector(), watermark);
    expect(delta.failed).toEqual([]);
    expect(devicesOf(delta)).toContain(changed);
    if (watermark !== null) {
      expect(devicesOf(delta).length).toBeLessThan(platform.devices(control).length);
    }
  });

  it.each(PASSING)('is complete after %s', async (_, act) => {
    for (const path of platform.recordPaths) simulators.control.fault({ path, nth: 2, act });
    expectComplete(await pull(connector()));
    expect(simulators.control.waitingFaults).toEqual([]);
  });

  it('waits as long as the platform requires', async () => {
    const [path] = platform.recordPaths;
    const act = { kind: 'rateLimited', retryAfterMs: 50_000, unit: 'seconds' } as const;
    simulators.control.fault({ path: path!, nth: 3, act });
    await pull(connector());
    expect(Math.max(...retryTiming.sleeps)).toBeGreaterThanOrEqual(49_000);
  });

  it.each(['status', 'garbage', 'cut', 'lostScope'] as const)(
    'names what failed if %s continues, and the next pull brings all of it',
    async (act) => {
      for (const path of platform.recordPaths) {
        simulators.control.clearFaults();
        simulators.control.fault({ path, nth: 3, times: 'ever', act: { kind: act } });
        const pulled = await pull(connector());
        expect(pulled.failed.length).toBeGreaterThan(0);
        for (const failure of pulled.failed) expect(failure).toMatch(/^[a-z]+.*: ./);
        simulators.control.clearFaults();
        const rest = await pull(connector(), pulled.watermark);
        expectComplete({ ...rest, signals: [...pulled.signals, ...rest.signals] });
      }
    },
  );

  it('ends when it is aborted, before and within a pull', async () => {
    const aborted = { name: 'EgressError', failure: 'aborted' };
    await expect(pull(connector(), null, AbortSignal.abort())).rejects.toMatchObject(aborted);
    const stopping = new AbortController();
    const reading = (async () => {
      for await (const page of connector().pull(null, stopping.signal)) {
        if (page.records > 0) stopping.abort();
      }
    })();
    await expect(reading).rejects.toMatchObject(aborted);
  });

  it('brings nothing with wrong credentials, and neither message has account or secret', async () => {
    const wrong = { account: platform.login.account, secret: 'no-such-secret' };
    const pulled = await pull(connector(wrong));
    expect(pulled.signals).toEqual([]);
    expect(pulled.failed.length).toBeGreaterThan(0);
    const checks = await connector(wrong).checks();
    expect(checks.map(({ name, ok }) => [name, ok])).toEqual([
      ['address', true],
      ['credentials', false],
      ...platform.permissions.map((name) => [name, false]),
    ]);
    const told = JSON.stringify([pulled.failed, checks]);
    expect(told).not.toContain(wrong.secret);
    expect(told).not.toContain(wrong.account);
  });

  it('tests the connection: all permissions, a missing one, and an address that does not respond', async () => {
    const named = async (tested: Connector) => (await tested.checks()).map(({ name, ok }) => `${name} ${ok}`);
    const { permissions } = platform;
    const [passed, refused] = [true, false].map((ok) => permissions.map((name) => `${name} ${ok}`));
    expect(await named(connector())).toEqual(['address true', 'credentials true', ...passed!]);
    const denied = connector(platform.withoutPermission);
    expect(await named(denied)).toEqual(['address true', 'credentials true', ...refused!]);
    expect((await denied.checks()).at(-1)!.message).toMatch(/permission|scope|role/);
    await simulators.close();
    expect(await named(connector())).toEqual(['address false', 'credentials false', ...refused!]);
  });
});
