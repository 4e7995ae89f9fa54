import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { PAGE_BYTES_MAX } from '#libs/tables';
import { scoreAll } from '../../../../test/fixtures/scores/score-all.ts';
import { type ApiClient, plainSignal, zipOf } from '../../../../test/support/api-client.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';

const BEGIN = Date.parse('2026-03-02T08:00:00.000Z');
const LATER = new Date(BEGIN + 60_000).toISOString();
const ASSETS = 20;
const SCORED = 4;
const TAGS = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`tag${i}`, ['x'.repeat(65_000)]]));
/** Twice in the state of an asset: its own tags, and what the source said. */
const ON_A_PAGE = Math.ceil(PAGE_BYTES_MAX / (2 * JSON.stringify(TAGS).length));

let now = BEGIN;
let gateway: StartedGateway;
let client: ApiClient;

beforeAll(async () => {
  gateway = await StartedGateway.start({ folds: true, clock: () => now });
  client = await gateway.client('admin');
  const entries = Array.from({ length: ASSETS }, (_, i) => {
    const host = `web${i}.corp.example`;
    const entity = { type: 'machine', name: host, entityAttributes: { tags: TAGS } };
    const entityOnly = i >= SCORED && { entityOnly: true, securityContext: undefined };
    return [`${i}.json`, plainSignal(`Finding ${i}`, host, { entity, ...entityOnly })];
  });
  const { body } = await client.zip(await zipOf(Object.fromEntries(entries)));
  await client.folded(body.uploadId);
  now = BEGIN + 120_000;
  await scoreAll(gateway.database, 4, now);
});
afterAll(() => gateway.stop());

it.each(['', 'sort=name', 'sort=-score', 'sort=score', `asOf=${LATER}`, `asOf=${LATER}&sort=-score`])(
  'a page of large assets ends early, and all of them are on some page: %s',
  async (query) => {
    const { items, nextCursor } = await client.get(`/api/v3/assets?limit=500&${query}`);
    expect(items.length).toBeGreaterThan(0);
    expect(items.length).toBeLessThanOrEqual(ON_A_PAGE + SCORED);
    expect(nextCursor).not.toBeNull();
    const all = await client.all(`/api/v3/assets?${query}`);
    expect(all.slice(0, items.length)).toEqual(items);
    expect(new Set(all.map(({ name }) => name)).size).toBe(ASSETS);
    expect(all).toHaveLength(ASSETS);
  },
);

it.each(['', `&asOf=${LATER}`])('a lower limit is enforced: %s', async (query) => {
  const { items, nextCursor } = await client.get(`/api/v3/assets?limit=3${query}`);
  expect(items).toHaveLength(3);
  expect(nextCursor).not.toBeNull();
});

it.each(['', `&asOf=${LATER}`])('an export has every one of them: %s', async (query) => {
  const path = `${gateway.url}/api/v3/assets/export?format=jsonl${query}`;
  const answer = await fetch(path, { headers: { authorization: client.authorization } });
  const lines = (await answer.text()).trimEnd().split('\n');
  expect(new Set(lines.map((line) => JSON.parse(line).name)).size).toBe(ASSETS);
});

it('a page of scores has all of them: it has none of the large attributes', async () => {
  const { items, nextCursor } = await client.get('/api/v3/scores/assets?limit=500');
  expect(items).toHaveLength(ASSETS);
  expect(nextCursor).toBeNull();
});
