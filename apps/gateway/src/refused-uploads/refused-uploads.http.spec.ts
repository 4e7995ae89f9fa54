import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type ApiClient, plainSignal, zipOf } from '../../../../test/support/api-client.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { until } from '../../../../test/support/until.ts';

const signal = plainSignal('A finding', 'host');
const START = Date.parse('2026-03-10T22:00:00Z');
const DAY_MS = 86_400_000;
let now: number;
let gateway: StartedGateway;
let client: ApiClient;

beforeEach(async () => {
  now = START;
  gateway = await StartedGateway.start({ clock: () => now });
  client = await gateway.client('analyst');
});
afterEach(() => gateway.stop());

const read = async (query = '') => (await client.get(`/api/v3/refused-uploads${query}`)) as Read;
interface Read {
  from: string;
  items: { day: string; kind: string; status: number; reason: string; count: number; lastAt: string }[];
}
const total = ({ items }: Read) => items.reduce((sum, { count }) => sum + count, 0);
const stored = (count: number) =>
  until(`${count} refused uploads`, async () => total(await read('?days=90')) === count);

it('counts what is refused as a whole by day, kind, status and reason, and nothing else', async () => {
  expect(await read()).toEqual({ from: '2026-03-04', items: [] });
  const report = (query: string, body: string) => client.request('POST', `/api/v3/reports${query}`, body);
  const form = new FormData();
  form.set('product_name', 'shop');
  const refused = [
    () => client.signal('{broken'),
    () => client.signal('{}'),
    () => client.signal(signal, { 'idempotency-key': 'not ascii: \u00e4' }),
    () => client.zip(Buffer.from('no ZIP')),
    async () => client.zip(await zipOf({ '1.json': '{broken' })),
    () => report('?asset=a', 'no report of any tool'),
    () => report('?asset=a', ''),
    () => report('?unknown=1', '{}'),
    () => client.request('POST', '/api/v2/import-scan/', form),
  ];
  for (const [i, upload] of refused.entries()) expect([i, (await upload()).status]).toEqual([i, 400]);
  expect((await client.signal('x'.repeat(6_000_000))).status).toBe(413);
  // Accepted, previewed, and not permitted.
  expect((await client.signal(signal)).status).toBe(200);
  expect((await client.zip(Buffer.from('no ZIP'), {}, '?dryRun=true')).status).toBe(400);
  expect((await (await gateway.client('viewer')).signal('{broken')).status).toBe(403);
  await stored(10);
  const at = (kind: string, status: number, reason: string, count: number) => ({
    ...{ day: '2026-03-10', kind, status, reason, count, lastAt: '2026-03-10T22:00:00.000Z' },
  });
  expect((await read()).items).toEqual([
    at('report', 400, 'content', 2),
    at('signal', 400, 'content', 2),
    at('zip', 400, 'content', 2),
    at('import', 400, 'request', 1),
    at('report', 400, 'request', 1),
    at('signal', 400, 'request', 1),
    at('signal', 413, 'tooLarge', 1),
  ]);
});

it('adds the counts of all gateways and of all rounds, and begins a day at midnight in UTC', async () => {
  const second = await StartedGateway.start({ clock: () => now, beside: gateway });
  try {
    await client.signal('{broken');
    await stored(1);
    const other = await second.client('analyst');
    await other.signal('{broken');
    now += 3 * 3_600_000;
    client = await second.client('analyst');
    await client.signal('{broken');
  } finally {
    // Its last counts are stored when it stops.
    await second.stop();
  }
  client = await gateway.client('analyst');
  expect((await read('?days=2')).items.map(({ day, count }) => [day, count])).toEqual([
    ['2026-03-11', 1],
    ['2026-03-10', 2],
  ]);
  expect(await read('?days=1')).toMatchObject({ from: '2026-03-11', items: [{ count: 1 }] });
});

it('removes days that are older than 90', async () => {
  const { pool } = gateway.database;
  const day = (ago: number) => new Date(START - ago * DAY_MS).toISOString().slice(0, 10);
  for (const ago of [89, 90, 400]) {
    await pool.query(`insert into refused_uploads values ($1, 'zip', 400, 'content', 1, now())`, [day(ago)]);
  }
  now += 3_600_000;
  await until('the removal', async () => {
    const { rows } = await pool.query('select count(*)::integer as count from refused_uploads');
    return rows[0].count === 1;
  });
  client = await gateway.client('analyst');
  expect((await read('?days=90')).items.map((item) => item.day)).toEqual([day(89)]);
});

it.each(['0', '91', '1.5', 'all', ''])('refuses %p as days', async (days) => {
  const { status, body } = await client.request('GET', `/api/v3/refused-uploads?days=${days}`);
  expect([status, body.message]).toEqual([400, expect.stringContaining('days')]);
});

it('keeps counts while the database is away', async () => {
  const { pool } = gateway.database;
  await pool.query('alter table refused_uploads rename to hidden');
  await client.signal('{broken');
  await until('a failed round', () =>
    gateway.lines.some((line) => line.includes('storing refused uploads failed')),
  );
  await client.signal('{broken');
  await pool.query('alter table hidden rename to refused_uploads');
  await stored(2);
});
