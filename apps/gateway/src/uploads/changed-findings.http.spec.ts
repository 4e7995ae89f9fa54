import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClient, plainSignal, zipOf } from '../../../../test/support/api-client.ts';
import { DAY_MS } from '../../../../test/support/scenario.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { until } from '../../../../test/support/until.ts';

const REPLACING = { 'config.json': { fullAssessmentForTypes: ['va'] } };
const PASSED = {
  securityContext: { type: 'va', status: { complianceStatus: 'pass' }, severity: { value: 7.5 } },
};

let now = Date.parse('2026-03-02T08:00:00.000Z');
let gateway: StartedGateway;
let admin: ApiClient;
let first: string;
let second: string;

beforeAll(async () => {
  gateway = await StartedGateway.start({ clock: () => now, folds: true });
  admin = await gateway.client('admin');
  first = await zip({
    '1.json': plainSignal('passes', 'web01'),
    '2.json': plainSignal('is absent', 'web01'),
    '3.json': plainSignal('stays', 'web01'),
    '4.json': plainSignal('elsewhere', 'web02'),
  });
  second = await zip({
    ...REPLACING,
    '1.json': plainSignal('passes', 'web01', PASSED),
    '2.json': plainSignal('stays', 'web01'),
    '3.json': plainSignal('is new', 'web01'),
  });
});
afterAll(() => gateway.stop());

/** Uploads a ZIP a minute later, and waits for its fold. */
async function zip(entries: Record<string, unknown>): Promise<string> {
  now += 60_000;
  const { status, body } = await admin.zip(await zipOf(entries));
  expect([status, body]).toEqual([200, expect.anything()]);
  await admin.folded(body.uploadId);
  return body.uploadId;
}

const changedBy = async (id: string, query = '', client = admin): Promise<string[]> =>
  (await client.all(`/api/v3/findings?upload=${id}&sort=name${query}`)).map(
    ({ name, state }) => `${name} ${state}`,
  );
const ALL = '&state=Failed,Qualified,Retired';

describe('the filter of findings by upload', () => {
  it('lists the findings that the upload changed, with their present state', async () => {
    expect(await changedBy(first, ALL)).toEqual([
      'elsewhere Failed',
      'is absent Retired',
      'passes Qualified',
      'stays Failed',
    ]);
    expect(await changedBy(second, ALL)).toEqual(['is absent Retired', 'is new Failed', 'passes Qualified']);
    expect(await changedBy(second)).toEqual(['is new Failed', 'passes Qualified']);
    expect(await changedBy(second.toUpperCase(), '&state=Failed')).toEqual(['is new Failed']);
  });

  it('is also a filter of counts, texts, assets, exports and the ATT&CK matrix', async () => {
    expect(await admin.get(`/api/v3/findings/counts?upload=${second}${ALL}`)).toMatchObject({
      total: 3,
      state: { Failed: 1, Qualified: 1, Retired: 1 },
    });
    const byText = await admin.all(`/api/v3/findings?q=${encodeURIComponent(`new upload:${second}`)}`);
    expect(byText.map(({ name }) => name)).toEqual(['is new']);
    const assetId = byText[0]!.assetId;
    expect(await admin.all(`/api/v3/assets/${assetId}/findings?upload=${first}`)).toHaveLength(2);
    const jsonl = await fetch(
      `${gateway.url}/api/v3/findings/export?format=jsonl&sort=name&upload=${second}`,
      {
        headers: { authorization: admin.authorization },
      },
    );
    const exported = (await jsonl.text()).trim().split('\n');
    expect(exported.map((line) => JSON.parse(line).name)).toEqual(['is new', 'passes']);
    const { status } = await admin.request('GET', `/api/v3/attack-matrix?upload=${first}`);
    expect(status).toBe(200);
  });

  it('selects the findings of an act on many, and is kept by saved views', async () => {
    const act = { tags: { add: ['seen'] }, filter: { upload: second, state: 'Failed' }, dryRun: true };
    const preview = await admin.request('POST', '/api/v3/findings/acts', JSON.stringify(act));
    expect([preview.status, preview.body]).toEqual([200, expect.objectContaining({ matching: 1, done: 1 })]);
    const view = { list: 'findings', name: 'Upload', query: `upload=${first}` };
    expect((await admin.request('POST', '/api/v3/views', JSON.stringify(view))).status).toBe(200);
  });

  it('as of an instant, counts what the upload had changed until then', async () => {
    const between = `&asOf=${new Date(now - 30_000).toISOString()}`;
    expect(await changedBy(first, ALL + between)).toEqual([
      'elsewhere Failed',
      'is absent Failed',
      'passes Failed',
      'stays Failed',
    ]);
    expect(await changedBy(second, ALL + between)).toEqual([]);
    now += 1_000;
    const later = `&asOf=${new Date(now - 500).toISOString()}`;
    expect(await changedBy(second, ALL + later)).toEqual(await changedBy(second, ALL));
    const counts = await admin.get(`/api/v3/findings/counts?upload=${first}${between}`);
    expect(counts).toMatchObject({ total: 4, state: { Failed: 4 } });
  });

  it('finds the changes of an upload between those of others, each finding once', async () => {
    const stamp = now;
    const { body } = await admin.zip(
      await zipOf({
        '1.json': plainSignal('twice', 'web03'),
        '2.json': plainSignal('twice', 'web03', PASSED),
      }),
    );
    await Promise.all(
      Array.from({ length: 4 }, (_, n) =>
        admin.request('POST', '/api/v3/signals/', JSON.stringify(plainSignal(`by ${n}`, 'web03'))),
      ),
    );
    await until(
      'the signals are folded',
      async () => (await admin.all('/api/v3/findings?name=by ')).length === 4,
    );
    await admin.folded(body.uploadId);
    expect(now).toBe(stamp);
    expect(await changedBy(body.uploadId)).toEqual(['twice Qualified']);
  });

  it('is empty for an upload that changed no finding', async () => {
    const id = await zip({ '1.json': plainSignal('elsewhere', 'web02') });
    expect(await changedBy(id, ALL)).toEqual([]);
    expect(await admin.get(`/api/v3/findings/counts?upload=${id}`)).toMatchObject({ total: 0 });
  });

  it('is a 400 for no id, no upload, and changes that are not recorded or among too many', async () => {
    const answer = async (id: string, path = 'findings?') => {
      const { status, body } = await admin.request('GET', `/api/v3/${path}upload=${id}`);
      return [status, body.message];
    };
    const unknown = randomUUID();
    const message = `upload: no upload has the id ${unknown}`;
    for (const path of [
      'findings?',
      'findings/counts?',
      'findings/groups?by=cve&',
      'findings/export?format=csv&',
      'attack-matrix?',
    ]) {
      expect(await answer(unknown, path)).toEqual([400, message]);
    }
    expect(await answer('monday')).toEqual([400, 'upload must be a UUID']);

    const { pool } = gateway.database;
    const id = await zip({ '1.json': plainSignal('wide', 'web04') });
    const widen = `update upload_progress set changes = jsonb_set(changes::jsonb, '{findings,1}', '200000') where upload_id = $1`;
    await pool.query(widen, [id]);
    expect(await answer(id)).toEqual([
      400,
      expect.stringMatching(/^upload: .* a filter reads at most 100000/),
    ]);
    await pool.query('update upload_progress set changes = null where upload_id = $1', [id]);
    expect(await answer(id)).toEqual([400, expect.stringMatching(/^upload: .* did not record its changes/)]);
  });

  it('is a 410 if changes of the upload may have been removed', async () => {
    const { pool } = gateway.database;
    const trimmed = (through: string) =>
      pool.query(
        `insert into history_trims (partition, finding_type, kept_from, through_sequence, removed)
         select (partition), 'va', $1, ${through}, 1 from upload_progress where upload_id = $2`,
        [new Date(now + DAY_MS), second],
      );
    try {
      await trimmed(`(changes -> 'findings' ->> 0)::bigint`);
      const { status, body } = await admin.request('GET', `/api/v3/findings?upload=${second}`);
      expect([status, body.message]).toEqual([410, expect.stringMatching(/^upload: .* were removed/)]);
      await pool.query('delete from history_trims');
      await trimmed(`(changes -> 'findings' ->> 0)::bigint - 1`);
      expect(await changedBy(second, ALL)).toHaveLength(3);
    } finally {
      await pool.query('delete from history_trims');
    }
  });

  it('shows a limited caller the visible ones, and nothing of an upload that does not exist', async () => {
    for (const name of ['Sales', 'Finance']) {
      await admin.request('POST', '/api/v3/company/departments', JSON.stringify({ name }));
    }
    const given = { name: 'sales', scopes: ['findings:read'], departments: ['Sales'] };
    const { body } = await admin.request('POST', '/api/v3/tokens', JSON.stringify(given));
    const sales = ApiClient.withToken(gateway.url, body.token);
    const inDepartment = (name: string, host: string, department: string) => ({
      ...plainSignal(name, host),
      entity: { type: 'machine', name: host, entityAttributes: { department } },
    });
    const id = await zip({
      '1.json': inDepartment('own', 'sales01', 'Sales'),
      '2.json': inDepartment('hidden', 'finance01', 'Finance'),
    });
    expect(await changedBy(id, '', sales)).toEqual(['own Failed']);
    expect(await changedBy(first, '', sales)).toEqual([]);
    expect(await changedBy(randomUUID(), '', sales)).toEqual([]);
    // The number of changes is that of all assets.
    await gateway.database.pool.query(
      `update upload_progress set changes = jsonb_set(changes::jsonb, '{findings,1}', '200000') where upload_id = $1`,
      [id],
    );
    const tooMany = async (client: ApiClient) =>
      (await client.request('GET', `/api/v3/findings?upload=${id}`)).body.message;
    expect(await tooMany(admin)).toMatch(/^upload: .* are among \d{5,} changes of findings, /);
    expect(await tooMany(sales)).toMatch(/^upload: .* are among too many changes of findings, /);
  });
});
