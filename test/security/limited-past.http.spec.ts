import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ScoredSite } from '../fixtures/scores/scored-site.ts';
import { ApiClient, plainSignal, zipOf } from '../support/api-client.ts';

const BEGIN = Date.parse('2026-03-02T08:00:00.000Z');

let site: ScoredSite;
let sales: ApiClient;
/** `came` was in another department until the end, `visits` in between; `late` has not failed again. */
const finding: Record<string, string> = {};
/** The one that found that all but `late` fail again. */
let reopening: string;
/** Instants: all fail; `visits` is in the other department; the end. */
let [begun, hidden, ended] = [0, 0, 0];

type Scanned = Record<string, [department: string, status: 'fail' | 'pass']>;

/** Each name is a finding on its own asset. */
async function scan(scanned: Scanned): Promise<string> {
  site.pass();
  const signals = Object.entries(scanned).map(([name, [department, complianceStatus]]) => [
    `${name}.json`,
    {
      ...plainSignal(name, name, {
        securityContext: { type: 'va', status: { complianceStatus }, severity: { type: 'cvss', value: 9 } },
      }),
      entity: { type: 'machine', name, entityAttributes: { department } },
    },
  ]);
  const { body } = await site.client.zip(await zipOf(Object.fromEntries(signals)));
  await site.client.folded(body.uploadId);
  return body.uploadId;
}

async function comment(name: string, text: string): Promise<void> {
  site.pass();
  const { status, body } = await site.post(`/api/v3/findings/${finding[name]}/comments`, { text });
  expect({ status, body }).toMatchObject({ status: 200 });
}

beforeAll(async () => {
  site = await ScoredSite.start(BEGIN);
  const given = { name: 'sales', scopes: ['assets:read', 'findings:read'], departments: ['Sales'] };
  sales = ApiClient.withToken(site.gateway.url, (await site.post('/api/v3/tokens', given)).body.token);
  await scan({
    own: ['Sales', 'fail'],
    came: ['Finance', 'fail'],
    visits: ['Sales', 'fail'],
    late: ['Finance', 'fail'],
  });
  for (const { id, name } of await site.client.all('/api/v3/findings')) finding[name] = id;
  await comment('own', 'of Sales');
  await comment('came', 'of Finance');
  await comment('visits', 'before');
  begun = site.pass();
  await scan({
    own: ['Sales', 'pass'],
    came: ['Finance', 'pass'],
    visits: ['Finance', 'pass'],
    late: ['Finance', 'pass'],
  });
  await comment('visits', 'of Finance, too');
  reopening = await scan({ own: ['Sales', 'fail'], came: ['Finance', 'fail'], visits: ['Finance', 'fail'] });
  hidden = site.pass();
  await scan({ came: ['Sales', 'fail'], visits: ['Sales', 'fail'], late: ['Sales', 'pass'] });
  await comment('came', 'here now');
  await comment('visits', 'after');
  ended = site.pass(60_000);
});
afterAll(() => site.stop());

const asOf = (at: number) => `asOf=${new Date(at).toISOString()}`;

describe('a finding that a limited caller sees now', () => {
  const commentsOf = async (client: ApiClient, name: string, query = '') =>
    (await client.all(`/api/v3/findings/${finding[name]}/comments?${query}`)).map(({ id, text }) => [
      id,
      text,
    ]);

  it('shows the comments of the times at which it was visible', async () => {
    expect(await commentsOf(sales, 'own')).toEqual([['1', 'of Sales']]);
    expect(await commentsOf(sales, 'came')).toEqual([['1', 'here now']]);
    expect(await commentsOf(sales, 'visits')).toEqual([
      ['1', 'before'],
      ['2', 'after'],
    ]);
    expect(await commentsOf(sales, 'visits', asOf(begun))).toEqual([['1', 'before']]);
    const path = `/api/v3/findings/${finding.visits}/comments?`;
    expect((await sales.request('GET', `${path}${asOf(hidden)}`)).status).toBe(404);
    const first = await sales.get(`${path}limit=1`);
    const next = await sales.get(`${path}limit=1&cursor=${encodeURIComponent(first.nextCursor)}`);
    expect([first, next].map(({ items }) => items.map(({ text }: { text: string }) => text))).toEqual([
      ['before'],
      ['after'],
    ]);
    expect(next.nextCursor).toBeNull();
    expect((await commentsOf(site.client, 'visits')).map(([, text]) => text)).toEqual([
      'before',
      'of Finance, too',
      'after',
    ]);
  });

  it.each(['now', 'as of an instant'])('has not failed again while it was hidden, %s', async (when) => {
    const query = when === 'now' ? '' : `&${asOf(ended)}`;
    const names = async (client: ApiClient) =>
      (await client.all(`/api/v3/findings?reopenedAfter=${new Date(BEGIN).toISOString()}${query}`))
        .map(({ name }) => name)
        .sort();
    expect(await names(site.client)).toEqual(['came', 'own', 'visits']);
    expect(await names(sales)).toEqual(['own']);
  });

  it.each(['now', 'as of an instant'])('has not become Failed while it was hidden, %s', async (when) => {
    const query = when === 'now' ? '' : `&${asOf(ended)}`;
    const names = async (client: ApiClient, from: string) =>
      (await client.all(`/api/v3/findings?failedAfter=${from}${query}`)).map(({ name }) => name).sort();
    const { receivedAt } = await site.client.get(`/api/v3/uploads/${reopening}`);
    expect(await names(site.client, receivedAt)).toEqual(['came', 'own', 'visits']);
    expect(await names(sales, receivedAt)).toEqual(['own']);
  });

  it.each(['now', 'as of an instant'])('was changed by no upload while it was hidden, %s', async (when) => {
    const query = when === 'now' ? '' : `&${asOf(ended)}`;
    const names = async (client: ApiClient) =>
      (await client.all(`/api/v3/findings?upload=${reopening}${query}`)).map(({ name }) => name).sort();
    expect(await names(site.client)).toEqual(['came', 'own', 'visits']);
    expect(await names(sales)).toEqual(['own']);
  });

  it.each(['now', 'as of an instant'])(
    'has no times to remediate of periods that ended while it was hidden, %s',
    async (when) => {
      const query = when === 'now' ? '' : `&${asOf(ended)}`;
      const total = async (client: ApiClient) =>
        (await client.get(`/api/v3/findings/remediation?days=7${query}`)).total;
      expect(await total(site.client)).toMatchObject({ remedied: 4, reopened: 3 });
      expect(await total(sales)).toMatchObject({ remedied: 1, reopened: 1 });
    },
  );
});

it('shows of a finding that is hidden now whether it was reported since', async () => {
  const report = (name: string, department: string) =>
    site.fold({ name, host: 'leaves', attributes: { department } });
  await report('weak', 'Sales');
  await report('other', 'Sales');
  const [{ id, lastSeen }] = await sales.all('/api/v3/findings?name=weak');
  const at = site.pass();
  const paths = [`findings/${id}`, 'findings'];
  const read = () => Promise.all(paths.map((path) => sales.get(`/api/v3/${path}?${asOf(at)}`)));
  expect((await read())[0]).toMatchObject({ id, lastSeen });
  await report('other', 'Finance');
  const hidden = await read();
  await report('weak', 'Finance');
  expect(await read()).toEqual(hidden);
  expect(hidden[0]).toMatchObject({ id, lastSeen: null, expiresAt: null, overdueSince: null });
});

it('shows of an asset that is hidden now whether it was reported since', async () => {
  await site.fold({ name: 'weak', host: 'ends', attributes: { department: 'Sales' } });
  const [{ id, lastSeen }] = await sales.all('/api/v3/assets?name=ends');
  const at = site.pass();
  const read = () =>
    Promise.all(
      [`assets/${id}?`, 'assets?name=ends&'].map((path) => sales.get(`/api/v3/${path}${asOf(at)}`)),
    );
  expect((await read())[0]).toMatchObject({ id, lastSeen });
  // As if its department ended with the statement of a source, without a signal.
  await site.gateway.database.pool.query(`update assets set department = 'Finance' where id = $1`, [id]);
  const hidden = await read();
  await site.fold({ name: 'weak', host: 'ends', attributes: { department: 'Finance' } });
  expect(await read()).toEqual(hidden);
  expect(hidden[0]).toMatchObject({ id, lastSeen: null });
});
