import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { INTAKE_TOPIC } from '#libs/intake';
import { Projection } from '#libs/projection';
import { type ApiClient, plainSignal } from '../../../../test/support/api-client.ts';
import { DAY_MS } from '../../../../test/support/scenario.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import type { FindingDto } from '../findings/finding.dto.ts';

const MONDAY = Date.parse('2026-03-02T08:00:00.000Z');
const HOUR_MS = 60 * 60 * 1000;
const NOBODY = '00000000-0000-4000-8000-000000000000';

let now = MONDAY;
let gateway: StartedGateway;
let client: ApiClient;
let openPort: { id: string };
let asset: { id: string; type: string };

const day = (n: number, hours = 0) => new Date(MONDAY + n * DAY_MS + hours * HOUR_MS).toISOString();
const qualified = {
  securityContext: { type: 'va', status: { complianceStatus: 'pass' }, severity: { value: 2 } },
};

beforeAll(async () => {
  gateway = await StartedGateway.start({ clock: () => now });
  const uploads: [number, unknown[]][] = [
    [0, [plainSignal('Open port', 'web01'), plainSignal('Old kernel', 'web01', { expiresAt: day(3) })]],
    [2, [plainSignal('Open port', 'web01', qualified), plainSignal('Open port', 'web02')]],
    [5, [plainSignal('Weak cipher', 'web01')]],
  ];
  for (const [n, signals] of uploads) {
    now = Date.parse(day(n));
    // A token does not last from one day to the next.
    const uploader = await gateway.client('analyst');
    for (const signal of signals) expect((await uploader.signal(signal)).status).toBe(200);
  }
  await project();
  now = Date.parse(day(6));
  client = await gateway.client('viewer');
  openPort = (await client.all('/api/v3/findings?state=Qualified'))[0];
  asset = (await client.all('/api/v3/assets?name=web01'))[0];
});
afterAll(() => gateway.stop());

async function project(): Promise<void> {
  const projection = new Projection(gateway.database.db);
  for (const [partition, end] of (await gateway.log.ends(INTAKE_TOPIC)).entries()) {
    const next = await projection.open(partition);
    for await (const records of gateway.log.read(INTAKE_TOPIC, partition, next, end)) {
      await projection.project(records);
    }
  }
}

const namesOf = async (query: string) =>
  (await client.all(`/api/v3/findings?${query}`)).map(({ name, state }) => `${name} ${state}`).sort();

describe('asOf', () => {
  it('shows a finding as it stood', async () => {
    const path = `/api/v3/findings/${openPort.id}`;
    expect(await client.get(`${path}?asOf=${day(1)}`)).toMatchObject({
      state: 'Failed',
      severity: { value: 7.5 },
      cves: ['CVE-2021-44228'],
      version: 1,
      lastSeen: null,
      expiresAt: null,
    });
    expect(await client.get(`${path}?asOf=${day(3)}`)).toEqual(await client.get(path));
    expect((await client.get(`${path}/history?asOf=${day(1)}`)).items).toHaveLength(1);
    expect((await client.get(`${path}/history?asOf=${day(2)}`)).items).toHaveLength(2);
  });

  it('filters lists by the values of that time, also expiry', async () => {
    expect(await namesOf(`asOf=${day(1)}`)).toEqual(['Old kernel Failed', 'Open port Failed']);
    expect(await namesOf(`asOf=${day(1)}&severityMin=7&name=PORT`)).toEqual(['Open port Failed']);
    expect(await namesOf(`asOf=${day(4)}&severityMin=7&name=PORT&assetId=${asset.id}`)).toEqual([]);
    expect(await namesOf(`asOf=${day(3, -1)}&assetId=${asset.id}`)).toEqual([
      'Old kernel Failed',
      'Open port Qualified',
    ]);
    expect(await namesOf(`asOf=${day(4)}&state=Retired`)).toEqual(['Old kernel Retired']);
  });

  it('shows assets with the counts of then', async () => {
    expect((await client.get(`/api/v3/assets/${asset.id}?asOf=${day(1)}`)).findings).toEqual({
      failed: 2,
      qualified: 0,
      accepted: 0,
      notAssessed: 0,
    });
    const names = async (query: string) =>
      (await client.all(`/api/v3/assets?${query}`)).map(({ name }) => name);
    expect(await names(`asOf=${day(1)}`)).toEqual(['web01']);
    expect((await names(`asOf=${day(2)}&type=${encodeURIComponent(asset.type)}`)).sort()).toEqual([
      'web01',
      'web02',
    ]);
    const ofAsset = await client.get(`/api/v3/assets/${asset.id}/findings?asOf=${day(4)}`);
    expect(ofAsset.items.map(({ name }: { name: string }) => name)).toEqual(['Open port']);
  });

  it('pages as of one instant', async () => {
    const first = await client.get(`/api/v3/findings?asOf=${day(1)}&limit=1`);
    const second = await client.get(`/api/v3/findings?asOf=${day(1)}&limit=1&cursor=${first.nextCursor}`);
    expect([first.items.length, second.items.length, second.nextCursor]).toEqual([1, 1, null]);
    expect(second.items[0].id).not.toBe(first.items[0].id);
  });

  it('sorts findings and assets by the values of that time, over pages', async () => {
    const walk = async (query: string) => {
      const items: Pick<FindingDto, 'name' | 'assetName' | 'updatedAt' | 'severity'>[] = [];
      for (let cursor = ''; ; ) {
        const page = await client.get(`${query}&limit=1${cursor}`);
        items.push(...page.items);
        if (page.nextCursor === null) return items;
        cursor = `&cursor=${page.nextCursor}`;
      }
    };
    const names = async (path: string, asOf: string, sort: string) =>
      (await walk(`${path}?asOf=${asOf}&sort=${sort}`)).map(({ name, assetName }) =>
        sort.endsWith('assetName') ? assetName : name,
      );
    const found = (asOf: string, sort: string) => names('/api/v3/findings', asOf, sort);
    // Monday: both of web01 fail, the open port worst. Wednesday: it passes with a lesser severity.
    expect(await found(day(1), 'name')).toEqual(['Old kernel', 'Open port']);
    expect(await found(day(1), '-name')).toEqual(['Open port', 'Old kernel']);
    expect(await found(day(2), '-assetName')).toEqual(['web02', 'web01', 'web01']);
    const severities = await walk(`/api/v3/findings?asOf=${day(2)}&sort=severity`);
    expect(severities.map(({ severity }) => severity.value)).toEqual([2, 7.5, 7.5]);
    const changed = await walk(`/api/v3/findings?asOf=${day(2)}&sort=-updatedAt`);
    expect(changed.map(({ updatedAt }) => Date.parse(updatedAt))).toEqual([
      Date.parse(day(2)),
      Date.parse(day(2)),
      Date.parse(day(0)),
    ]);
    for (const sort of ['-name', '-updatedAt']) {
      expect(await names('/api/v3/assets', day(3), sort)).toEqual(['web02', 'web01']);
    }
    for (const sort of ['score', '-criticality']) {
      expect(await names('/api/v3/assets', day(3), sort)).toHaveLength(2);
    }
    expect(await names('/api/v3/assets', day(1), '-name')).toEqual(['web01']);
    const ofAsset = await client.get(`/api/v3/assets/${asset.id}/findings?asOf=${day(2)}&sort=-severity`);
    expect(ofAsset.items.map(({ name }: { name: string }) => name)).toEqual(['Old kernel', 'Open port']);
  });

  it('answers 404 or an empty list before the first event', async () => {
    const before = `asOf=${day(-1)}`;
    const missing = [
      `/api/v3/findings/${openPort.id}`,
      `/api/v3/findings/${openPort.id}/history`,
      `/api/v3/assets/${asset.id}`,
      `/api/v3/assets/${asset.id}/findings`,
      `/api/v3/findings/${NOBODY}`,
      `/api/v3/assets/${NOBODY}`,
    ];
    for (const path of missing) {
      const { status, body } = await client.request('GET', `${path}?${before}`);
      expect([path, status, body.message]).toEqual([
        path,
        404,
        expect.stringMatching(/^no (asset|finding) had/),
      ]);
    }
    for (const path of ['/api/v3/findings', '/api/v3/assets']) {
      expect(await client.get(`${path}?${before}`)).toEqual({ items: [], nextCursor: null });
    }
    expect(await client.get('/api/v3/findings?asOf=0001-01-01T00:00:00Z')).toMatchObject({
      items: [],
    });
  });

  it('means the present by an instant still to come', async () => {
    for (const path of ['/api/v3/findings', '/api/v3/assets', `/api/v3/findings/${openPort.id}`]) {
      expect(await client.get(`${path}?asOf=9999-12-31T23:59:59.999Z`)).toEqual(await client.get(path));
    }
  });

  it.each([
    ['2026-03-03T08:00:00.000Z', 200],
    ['20260303T0800Z', 200],
    ['2026-03-03T09:00:00%2B01:00', 200],
    ['2026-03-03T09:00:00+01:00', 200],
    ['2026-03-03', 400],
    ['2026-03-03T08:00:00', 400],
    ['2026-02-30T08:00:00Z', 400],
    ['1772000000000', 400],
    ['0001-01-01T00:00:00%2B24:00', 400],
    ['9999-12-31T23:59:59-05:00', 400],
    ['yesterday', 400],
    ['', 400],
    ['2026-03-03T08:00:00Z&asOf=2026-03-03T08:00:00Z', 400],
  ])('accepts only ISO 8601 instants with a zone: %s', async (text, expected) => {
    const paths = [
      '/api/v3/findings',
      '/api/v3/assets',
      `/api/v3/findings/${openPort.id}`,
      `/api/v3/findings/${openPort.id}/history`,
      `/api/v3/assets/${asset.id}`,
      `/api/v3/assets/${asset.id}/findings`,
    ];
    for (const path of paths) {
      const { status, body } = await client.request('GET', `${path}?asOf=${text}`);
      expect([path, status]).toEqual([path, expected]);
      if (status === 400) expect(body.message).toContain('asOf must be an ISO 8601 time with a zone');
    }
  });

  it('is in the OpenAPI document of every route that takes it', async () => {
    const { paths } = await client.get('/docs-json');
    const takers = Object.entries<{ get?: { parameters?: { name: string }[] } }>(paths)
      .filter(([, { get }]) => get?.parameters?.some(({ name }) => name === 'asOf'))
      .map(([path]) => path);
    expect(takers.sort()).toEqual([
      '/api/v3/assets',
      '/api/v3/assets/counts',
      '/api/v3/assets/export',
      '/api/v3/assets/{id}',
      '/api/v3/assets/{id}/findings',
      '/api/v3/assets/{id}/score',
      '/api/v3/assets/{id}/score/history',
      '/api/v3/attack-matrix',
      '/api/v3/findings',
      '/api/v3/findings/counts',
      '/api/v3/findings/export',
      '/api/v3/findings/groups',
      '/api/v3/findings/remediation',
      '/api/v3/findings/{id}',
      '/api/v3/findings/{id}/comments',
      '/api/v3/findings/{id}/history',
      '/api/v3/findings/{id}/instances',
      '/api/v3/plans',
      '/api/v3/plans/{id}',
      '/api/v3/plans/{id}/burn-down',
      '/api/v3/plans/{id}/outcome',
      '/api/v3/reports/board',
      '/api/v3/reports/technical',
      '/api/v3/scores/asset-types',
      '/api/v3/scores/assets',
      '/api/v3/scores/attack-surfaces',
      '/api/v3/scores/departments',
      '/api/v3/scores/locations',
      '/api/v3/scores/organization',
      '/integrations/{id}/assets',
      '/integrations/{id}/findings',
    ]);
  });
});

describe('a list as of an instant that passes between its pages', () => {
  it.each(['score', '-score', 'name', '-name', 'updatedAt', '-updatedAt', 'criticality', '-criticality'])(
    'has each asset once, sorted by %s',
    async (sort) => {
      const uploader = await gateway.client('analyst');
      for (const host of ['web04', 'web05', 'web06', 'web07']) {
        expect((await uploader.signal(plainSignal('Open port', host))).status).toBe(200);
      }
      await project();
      const all = (await client.all('/api/v3/assets')).map(({ name }) => name).sort();
      const query = `/api/v3/assets?sort=${sort}&limit=2&asOf=${new Date(now + 1_000).toISOString()}`;
      const found: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; now += 1_000) {
        const path: string = cursor && `&cursor=${cursor}`;
        const page: { items: { name: string }[]; nextCursor: string | null } = await client.get(query + path);
        found.push(...page.items.map(({ name }) => name));
        cursor = page.nextCursor;
      }
      expect(found.sort()).toEqual(all);
    },
  );
});

describe('the filter name as of an instant', () => {
  it('finds the first 600 characters of a name, as now', async () => {
    const long = 'Severe '.repeat(86);
    now = Date.parse(day(7));
    const uploader = await gateway.client('analyst');
    expect((await uploader.signal(plainSignal(`${long}hidden`, 'web03'))).status).toBe(200);
    await project();
    now = Date.parse(day(8));
    client = await gateway.client('viewer');
    for (const query of ['', `&asOf=${day(7, 1)}`]) {
      expect([query, await namesOf(`name=HIDDEN${query}`)]).toEqual([query, []]);
      expect([query, await namesOf(`name=sEVERE${query}`)]).toEqual([query, [`${long}hidden Failed`]]);
    }
  });
});
