import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { PAGE_BYTES_MAX } from '#libs/tables';
import { type ApiClient, plainSignal, zipOf } from '../../../../test/support/api-client.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';

const BEGIN = Date.parse('2026-03-02T08:00:00.000Z');
const LATER = new Date(BEGIN + 60_000).toISOString();
const HOST = 'web01.corp.example';
const DESCRIPTION = 'x'.repeat(262_144);
const FINDINGS = 50;
const ON_A_PAGE = Math.ceil(PAGE_BYTES_MAX / DESCRIPTION.length);

let now = BEGIN;
let gateway: StartedGateway;
let client: ApiClient;

beforeAll(async () => {
  gateway = await StartedGateway.start({ folds: true, clock: () => now });
  client = await gateway.client('admin');
  const entries = Array.from({ length: FINDINGS }, (_, i) => {
    const securityContext = {
      type: 'va',
      status: { complianceStatus: 'fail' },
      severity: { value: 1 + (i % 4) },
      standardsMapping: [{ name: 'cve', value: 'CVE-2021-44228' }],
    };
    return [`${i}.json`, plainSignal(`Finding ${i}`, HOST, { description: DESCRIPTION, securityContext })];
  });
  const { body } = await client.zip(await zipOf(Object.fromEntries(entries)));
  await client.folded(body.uploadId);
  now = BEGIN + 120_000;
});
afterAll(() => gateway.stop());

it.each(['', 'sort=-severity', 'sort=name', `asOf=${LATER}`])(
  'a page of large findings ends early, and all of them are on some page: %s',
  async (query) => {
    const { items, nextCursor } = await client.get(`/api/v3/findings?limit=500&${query}`);
    expect(items).toHaveLength(ON_A_PAGE);
    expect(nextCursor).not.toBeNull();
    const all = await client.all(`/api/v3/findings?${query}`);
    expect(all.slice(0, ON_A_PAGE)).toEqual(items);
    expect(new Set(all.map(({ name }) => name)).size).toBe(FINDINGS);
    expect(all).toHaveLength(FINDINGS);
  },
);

it.each(['', `&asOf=${LATER}`])('a lower limit is enforced: %s', async (query) => {
  const { items, nextCursor } = await client.get(`/api/v3/findings?limit=3${query}`);
  expect(items).toHaveLength(3);
  expect(nextCursor).not.toBeNull();
});

it.each(['', `?asOf=${LATER}`])('a score is of every one of them: %s', async (query) => {
  const [asset] = await client.all('/api/v3/assets');
  const score = await client.get(`/api/v3/assets/${asset.id}/score${query}`);
  expect(score.contributions).toHaveLength(FINDINGS);
});
