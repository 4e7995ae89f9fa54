import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { RawSecurityContext, Settings } from '#libs/domain';
import { openEgress } from '#libs/egress';
import { type Simulators, startSimulators, TENABLE_KEYS } from '../../../../apps/simulators/src/index.ts';
import { describedBy, settingsWith } from '../../../../test/fixtures/integrations/reading.ts';
import { TestRetryTiming } from '../../../../test/fixtures/integrations/retry-timing.ts';
import type { PulledPage } from '../connector.ts';
import { connectorOf } from '../connector-of.ts';
import type { DeviceLookup } from '../device-lookup.ts';

const ASSETS = 240;
/** A plugin with the severity `info`, which is not pulled. */
const INFO = 7;
const egress = openEgress({ allow: () => ['127.0.0.1'] });
afterAll(() => egress.close());

let simulators: Simulators;
beforeEach(async () => {
  simulators = await startSimulators({
    hosts: 50,
    alerts: 0,
    devices: 0,
    assets: ASSETS,
    vulnerabilities: 500,
  });
});
afterEach(() => simulators.close());

const KNOWN = settingsWith('site', 'Location');

function connector(devices?: DeviceLookup, assetMatching: Settings['assetMatching'] = 'name') {
  const { accessKey, secretKey } = TENABLE_KEYS.full;
  const config = {
    url: simulators.url,
    accessKey,
    autoOnboardNewAssets: true,
    updateExistingAssetsMetadata: true,
  };
  return connectorOf({ subType: 'tenable', config, secrets: { secretKey } }, egress, {
    settings: () => ({ ...KNOWN, assetMatching }),
    assets: async () => new Map(),
    ...(devices && { devices }),
    retryTiming: new TestRetryTiming(Date.now()),
  });
}

async function pull(
  since: string | null = null,
  signal = new AbortController().signal,
  devices?: DeviceLookup,
  assetMatching?: Settings['assetMatching'],
) {
  const pages: PulledPage[] = [];
  for await (const page of connector(devices, assetMatching).pull(since, signal)) pages.push(page);
  return {
    pages,
    signals: pages.flatMap(({ signals }) => signals),
    failed: pages.flatMap(({ failed }) => failed),
    ignored: Object.assign({}, ...pages.map(({ ignored }) => ignored)),
    watermark: pages.at(-1)!.watermark,
  };
}

const tag = (key: string, value: string) => ({ uuid: key, key, value, added_at: '2026-01-01T00:00:00Z' });

const ofEndpoint = (path: string) => simulators.control.requests.filter((one) => one.path.endsWith(path));

describe('exports of the vulnerability scanner', () => {
  it('describe an asset with its addresses, and tags in custom fields that exist', async () => {
    const { signals } = await pull();
    const tagged = [...simulators.control.assets].find(({ tags }) => tags.length > 0)!;
    const signal = signals.find(({ deviceId }) => deviceId === tagged.id)!;
    expect(describedBy(signal, settingsWith('site')).entity).toMatchObject({
      ipAddresses: tagged.ipv4s,
      customFields: { site: [tagged.tags[0]!.value] },
    });
  });

  it('leave out tags that are an attribute of the asset, also if an earlier version created a field', async () => {
    simulators.control.assets.change(0, { tags: [tag('Location', 'Berlin'), tag('site', 'hq')] });
    const { signals } = await pull();
    const signal = signals.find(({ deviceId }) => deviceId === simulators.control.assets.at(0)!.id)!;
    expect(describedBy(signal, KNOWN).entity).toMatchObject({
      location: null,
      tags: {},
      customFields: { site: ['hq'] },
    });
  });

  it('name the asset of a vulnerability as the asset is described', async () => {
    const { signals } = await pull();
    const described = new Set(signals.filter((one) => one.entityOnly).map(({ entity }) => entity.name));
    for (const { entity } of signals) expect(described.has(entity.name)).toBe(true);
  });

  it('leave out deleted and terminated assets, and what is found on them, in deltas and full pulls', async () => {
    const { control } = simulators;
    const { watermark, signals } = await pull();
    control.advance(3_600_000);
    const now = new Date(control.now()).toISOString();
    const fields = [{ deleted_at: now }, { terminated_at: now }];
    const names = fields.map((gone, number) => {
      control.assets.change(number, gone);
      control.vulnerabilities.change(number, { state: 'OPEN' });
      return signals.find(({ deviceId }) => deviceId === control.assets.at(number)!.id)!.entity.name;
    });
    for (const since of [watermark, null]) {
      const { failed, ignored, signals } = await pull(since);
      expect(failed).toEqual([]);
      expect(ignored.deleted).toBeGreaterThan(0);
      for (const { entity } of signals) expect(names).not.toContain(entity.name);
    }
  });

  describe('with a deleted asset and a live one: the machine was set up again', () => {
    const FULL = 'set-up-again.acme.com';

    /** What was found on each, and whether it ends; undefined: it is in no signal. */
    async function found(goneName: string, assetMatching: Settings['assetMatching']) {
      const { control } = simulators;
      const deletion = { deleted_at: new Date(control.now()).toISOString() };
      const ids = [goneName, FULL].map((name, number) => {
        const fields = number === 0 ? deletion : {};
        control.assets.change(number, { fqdns: [], hostnames: [name], netbios_names: [], ...fields });
        control.vulnerabilities.change(number, { state: 'OPEN' });
        return control.vulnerabilities.at(number)!.finding_id;
      });
      const { failed, signals } = await pull(null, undefined, undefined, assetMatching);
      expect(failed).toEqual([]);
      const isRevoked = new Map(
        signals.flatMap(({ revoked = false, securityContexts = [] }) =>
          securityContexts.map(({ detectionId }) => [detectionId, revoked] as const),
        ),
      );
      return ids.map((id) => isRevoked.get(id));
    }

    it.each<[string, Settings['assetMatching']]>([
      [FULL, 'name'],
      [FULL, 'fqdn'],
      ['Set-up-again', 'name'],
    ])('end what was found on %s if assets match by %s', async (goneName, assetMatching) => {
      expect(await found(goneName, assetMatching)).toEqual([true, false]);
    });

    it('end nothing of an asset with another FQDN if FQDNs distinguish assets', async () => {
      expect(await found('set-up-again.other.com', 'fqdn')).toEqual([undefined, false]);
    });
  });

  it.each(['/assets/v2/export', '/vulns/export'])(
    'of %s that are finished and list fewer chunks than they count are incomplete',
    async (path) => {
      simulators.control.fault({ method: 'POST', path, act: { kind: 'shortChunkList' } });
      const { failed, watermark } = await pull();
      expect(failed[0]!.message).toMatch(/^the platform counts \d chunks of the export and lists \d$/);
      expect(watermark).toBeNull();
    },
  );

  it.each(['/assets/v2/export', '/vulns/export'])(
    'of %s that are finished without a list of chunks are no empty ones',
    async (path) => {
      simulators.control.fault({ method: 'POST', path, act: { kind: 'noChunkList' } });
      const { failed, watermark } = await pull();
      expect(failed[0]!.message).toMatch(/lacks required fields/);
      expect(watermark).toBeNull();
    },
  );

  it('place a vulnerability of an unchanged asset where an earlier pull described the asset', async () => {
    const { control } = simulators;
    const { watermark } = await pull();
    const listed = (await pull(watermark)).signals.map(({ deviceId }) => deviceId);
    const number = [...control.vulnerabilities].findIndex(
      ({ asset, plugin }) => plugin !== INFO && !listed.includes(control.assets.at(asset)!.id),
    );
    const { id, ipv4s } = control.assets.at(number)!;
    control.vulnerabilities.change(number, { state: 'OPEN' });
    const asked: string[] = [];
    const { failed, signals } = await pull(watermark, undefined, async (source, ids) => {
      expect(source).toBe('tenable');
      asked.push(...ids);
      return new Map(ids.map((one) => [one, one === id ? 'described.acme.com' : 'other.acme.com']));
    });
    expect(failed).toEqual([]);
    expect(asked).toContain(id);
    const isOfIt = ({ evidence }: RawSecurityContext) => JSON.stringify(evidence).includes(` ${ipv4s[0]}.`);
    const found = signals.filter(({ securityContexts = [] }) => securityContexts.some(isOfIt));
    expect([...new Set(found.map(({ entity }) => entity.name))]).toEqual(['described.acme.com']);
  });

  describe('with a vulnerability of an unchanged asset that no earlier pull has described', () => {
    const balanced = { fqdns: ['web.acme.com', 'web01.acme.com'], hostnames: [], netbios_names: ['WEB01'] };
    /** Asset and watermark before the change. */
    async function changed() {
      const { control } = simulators;
      const number = [...control.vulnerabilities].findIndex(({ plugin }) => plugin !== INFO);
      control.assets.change(control.vulnerabilities.at(number)!.asset, balanced);
      control.advance(2 * 24 * 3_600_000);
      const { watermark } = await pull();
      control.vulnerabilities.change(number, { state: 'OPEN' });
      return watermark;
    }
    const isOfIt = ({ entity }: PulledPage['signals'][number]) => entity.name.startsWith('web');

    it('place it where all assets describe the asset, not where the record names one of its FQDNs', async () => {
      const { failed, signals, watermark } = await pull(await changed());
      expect(failed).toEqual([]);
      expect(watermark).not.toBeNull();
      expect([...new Set(signals.filter(isOfIt).map(({ entity }) => entity.name))]).toEqual([
        'web01.acme.com',
      ]);
    });

    it('place none while assets are missing, and the watermark stays', async () => {
      const before = await changed();
      const path = '/assets/v2/export';
      simulators.control.fault({ method: 'POST', path, nth: 2, times: 2, act: { kind: 'chunkFails' } });
      const { failed, signals, watermark } = await pull(before);
      expect(failed).toContainEqual(
        expect.objectContaining({ what: expect.stringMatching(/^assets chunk/) }),
      );
      expect(signals.filter(isOfIt)).toEqual([]);
      expect(watermark).toBe(before);
    });
  });

  it('place a vulnerability of an asset that is younger than the export of assets as all assets name it, or not', async () => {
    const { control } = simulators;
    const behind = (balancer: string, host: string) =>
      control.assets.add({ fqdns: [balancer, host], hostnames: [], netbios_names: [host.split('.')[0]!] });
    const found: string[] = [];
    let noHost = 0;
    let added = 0;
    for await (const { signals, ignored } of connector().pull(null, new AbortController().signal)) {
      found.push(...signals.map(({ entity }) => entity.name).filter((name) => name.endsWith('.acme.test')));
      noHost += ignored.noHost ?? 0;
      if (added === 0) {
        const asset = behind('a.acme.test', 'web01.acme.test');
        added = control.vulnerabilities.add({ asset, plugin: 1, state: 'OPEN' });
      } else if (found.length === 1) {
        // Of the second export of vulnerabilities, after all assets were read again.
        const asset = behind('b.acme.test', 'web02.acme.test');
        control.vulnerabilities.add({ asset, plugin: 1, state: 'OPEN', recast: 'info' });
        found.push('later');
      }
    }
    expect(found).toEqual(['web01.acme.test', 'later']);
    expect(noHost).toBe(1);
  });

  it('follow a weakness that a user recasts to info, also when it is fixed', async () => {
    const { control } = simulators;
    const number = [...control.vulnerabilities].findIndex(({ plugin }) => plugin !== INFO);
    const { finding_id } = control.vulnerabilities.at(number)!;
    const found = async (since: string | null) => {
      const { failed, signals, watermark } = await pull(since);
      expect(failed).toEqual([]);
      const own = signals.flatMap(({ revoked = false, securityContexts = [] }) =>
        securityContexts
          .filter(({ detectionId }) => detectionId === finding_id)
          .map(({ severity }) => ({ revoked, severity })),
      );
      return { own, watermark };
    };
    control.vulnerabilities.change(number, { state: 'OPEN', recast: 'info' });
    const { own, watermark } = await found(null);
    expect(own).toEqual([{ revoked: false, severity: { level: 'info' } }]);
    control.vulnerabilities.change(number, { state: 'FIXED' });
    expect((await found(watermark)).own).toEqual([{ revoked: true, severity: { level: 'info' } }]);
  });

  it('place no vulnerability while assets are missing', async () => {
    const path = '/assets/v2/export';
    simulators.control.fault({ method: 'POST', path, act: { kind: 'chunkFails' } });
    const { failed, signals, watermark } = await pull();
    expect(failed.map(({ what }) => what)).toEqual(['assets chunk 1', 'vulnerabilities']);
    expect(signals.every(({ entityOnly }) => entityOnly)).toBe(true);
    expect(ofEndpoint('/vulns/export')).toEqual([]);
    expect(watermark).toBeNull();
  });

  it('that lose a chunk bring the others, and the watermark stays', async () => {
    const path = '/vulns/export';
    simulators.control.fault({ method: 'POST', path, act: { kind: 'chunkFails' } });
    const { failed, signals, watermark } = await pull();
    expect(failed).toEqual([
      {
        what: 'vulnerabilities chunk 5',
        message: 'the platform failed to export it: 1 of 5 chunks failed to process.',
      },
    ]);
    expect(signals.filter(({ entityOnly }) => !entityOnly).length).toBeGreaterThan(100);
    expect(watermark).toBeNull();
  });

  it('that fail say why in the words of the platform', async () => {
    const path = '/assets/v2/export';
    simulators.control.fault({ method: 'POST', path, act: { kind: 'exportFails' } });
    expect((await pull()).failed).toEqual([
      { what: 'assets', message: 'the export failed: The export request timed out. Try again.' },
      expect.objectContaining({ what: 'vulnerabilities' }),
    ]);
  });

  it('are not requested twice: a running one with the same filters is joined', async () => {
    const since = '2020-01-01T00:00:00.000Z';
    const pages = connector().pull(since, new AbortController().signal)[Symbol.asyncIterator]();
    const { value: first } = await pages.next();
    expect(first.signals.every(({ entityOnly }: { entityOnly?: boolean }) => entityOnly)).toBe(true);
    await pages.next();
    const { failed, signals } = await pull(since);
    expect(failed).toEqual([]);
    expect(signals.filter(({ entityOnly }) => !entityOnly).length).toBeGreaterThan(300);
    const [weaknesses, joined, recastToInfo] = ofEndpoint('/vulns/export').map(({ status }) => status);
    expect([weaknesses, joined, recastToInfo]).toEqual([200, 409, 200]);
    await pages.return?.();
  });

  it('that another client started are not cancelled', async () => {
    const since = '2020-01-01T00:00:00.000Z';
    const begun = () => connector().pull(since, new AbortController().signal)[Symbol.asyncIterator]();
    const [starting, joining] = [begun(), begun()];
    for (const pages of [starting, joining]) {
      await pages.next();
      expect((await pages.next()).value.signals).not.toEqual([]);
    }
    expect(ofEndpoint('/vulns/export').map(({ status }) => status)).toEqual([200, 409]);
    await joining.return?.();
    expect(ofEndpoint('/cancel')).toEqual([]);
    await starting.return?.();
    expect(ofEndpoint('/cancel')).toHaveLength(1);
  });

  it('are cancelled if the sync ends early, also while nothing is ready', async () => {
    const stopping = new AbortController();
    const pulling = pull(null, stopping.signal);
    simulators.control.fault({ path: '/assets/export', act: { kind: 'slow', delayMs: 60_000 } });
    const isAsked = () => ofEndpoint('/status').length > 0;
    while (!isAsked()) await new Promise((resolve) => setImmediate(resolve));
    stopping.abort();
    await expect(pulling).rejects.toMatchObject({ failure: 'aborted' });
    expect(ofEndpoint('/cancel')).toHaveLength(1);
  });
});
