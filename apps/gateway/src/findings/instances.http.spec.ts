import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiClient, plainSignal, zipOf } from '../../../../test/support/api-client.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';

const MONDAY = Date.parse('2026-03-02T08:00:00.000Z');
const NOBODY = '00000000-0000-4000-8000-000000000000';

let now = MONDAY;
let gateway: StartedGateway;
let client: ApiClient;

beforeAll(async () => {
  gateway = await StartedGateway.start({ folds: true, clock: () => now });
  client = await gateway.client('admin');
});
afterAll(() => gateway.stop());

const onPorts = (complianceStatus: string, from: number, to: number) =>
  plainSignal('open ports', 'server', {
    port: Array.from({ length: to - from }, (_, i) => from + i),
    securityContext: {
      type: 'va',
      status: { complianceStatus },
      severity: { type: 'cvss', value: 5 },
      evidence: { observationText: `ports from ${from}` },
    },
  });

async function upload(signal: object): Promise<void> {
  now += 1_000;
  const { body } = await client.zip(await zipOf({ 'one.json': signal }));
  await client.folded(body.uploadId);
}

const finding = async () => (await client.all('/api/v3/findings'))[0];

async function inPages(path: string, limit: number): Promise<{ key: string }[]> {
  const all: { key: string }[] = [];
  for (let cursor = ''; ; ) {
    const { items, nextCursor } = await client.get(`${path}&limit=${limit}${cursor}`);
    expect(items.length).toBeLessThanOrEqual(limit);
    all.push(...items);
    if (nextCursor === null) return all;
    cursor = `&cursor=${nextCursor}`;
  }
}

const keysOf = (instances: { key: string }[]) => instances.map(({ key }) => key);

describe('the instances of a finding', () => {
  it('are all returned up to 1,000; of more those that fail come first, and all are in pages (R-FIND-14)', async () => {
    await upload(onPorts('pass', 10_000, 11_000));
    const { id } = await finding();
    const small = await client.get(`/api/v3/findings/${id}`);
    expect(small).toMatchObject({ instanceCount: 1_000, observation: 'ports from 10000' });
    expect(keysOf(small.instances)).toEqual(Array.from({ length: 1_000 }, (_, i) => `${10_000 + i}`));
    const then = new Date(now).toISOString();

    await upload(onPorts('fail', 20_000, 20_300));
    const large = await client.get(`/api/v3/findings/${id}`);
    expect(large).toMatchObject({ state: 'Failed', instanceCount: 1_300 });
    expect(large.observation).toBe('ports from 20000\nports from 10000');
    expect(large.instances).toHaveLength(1_000);
    const ports = Array.from({ length: 1_300 }, (_, i) => `${i < 1_000 ? 10_000 + i : 19_000 + i}`);
    expect(keysOf(large.instances)).toEqual([...ports.slice(1_000), ...ports.slice(0, 700)]);
    expect((await finding()).instanceCount).toBe(1_300);

    const path = `/api/v3/findings/${id}/instances`;
    const all = await inPages(`${path}?`, 400);
    expect(keysOf(all)).toEqual(ports);
    expect(all[1_000]).toEqual(large.instances[0]);
    expect(await inPages(`${path}?asOf=${then}`, 500)).toEqual(small.instances);
  });

  it('are a 404 of an unknown finding, and a 400 with the cursor of another list', async () => {
    const { id } = await finding();
    const status = async (path: string) => (await client.request('GET', path)).status;
    expect(await status(`/api/v3/findings/${NOBODY}/instances`)).toBe(404);
    expect(await status(`/api/v3/findings/${id}/instances?asOf=2026-01-01T00:00:00Z`)).toBe(404);
    expect(await status(`/api/v3/findings/${id}/instances?cursor=WyJ4Il0`)).toBe(400);
    expect(await status(`/api/v3/findings/${id}/instances?cursor=Wy01XQ`)).toBe(200);
    expect(await status('/api/v3/findings/x/instances')).toBe(400);
  });
});
