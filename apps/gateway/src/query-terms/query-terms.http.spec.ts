import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type ApiClient, plainSignal, zipOf } from '../../../../test/support/api-client.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';
const FAILURE = /^(filter\.|query\.)?q, character 1: severity must be one of critical/;
const BAD = 'severity:urgent';

let gateway: StartedGateway;
let client: ApiClient;
beforeAll(async () => {
  gateway = await StartedGateway.start({ folds: true });
  client = await gateway.client('admin');
});
afterAll(() => gateway.stop());

const post = async (path: string, body: object) => {
  const { status, body: answer } = await client.request('POST', path, JSON.stringify(body));
  return [status, answer.message];
};

it('every route that filters findings reads query texts', async () => {
  const { paths } = await client.get('/docs-json');
  const filtering = Object.keys(paths).filter((path) => {
    const names = (paths[path].get?.parameters ?? []).map(({ name }: { name: string }) => name);
    return names.includes('q') && names.includes('cve');
  });
  expect(filtering.length).toBeGreaterThanOrEqual(7);
  for (const path of filtering) {
    const required = path.endsWith('/export') ? '&format=csv' : path.endsWith('/groups') ? '&by=cve' : '';
    const { status, body } = await client.request(
      'GET',
      `${path.replace('{id}', NOBODY)}?q=${BAD}${required}`,
    );
    expect([path, status, body.message]).toEqual([path, 400, expect.stringMatching(FAILURE)]);
  }
});

it('every route that searches assets reads query texts', async () => {
  for (const path of ['', '/counts', '/export']) {
    const format = path === '/export' ? '&format=csv' : '';
    const { status, body } = await client.request('GET', `/api/v3/assets${path}?q=scored:maybe${format}`);
    expect([path, status, body.message]).toEqual([
      path,
      400,
      'q, character 1: scored must be one of the following values: true, false',
    ]);
  }
  for (const [q, message] of [
    ['db severity:critical', undefined],
    [
      'db type:Server type:Router',
      'q, character 16: this filter is given twice: separate alternatives by commas',
    ],
    ['db notSeenDays:often', 'q, character 4: notSeenDays must'],
    [`${'x'.repeat(150)} ${'y'.repeat(150)}`, 'q must contain at most 200 characters besides filters'],
  ]) {
    const { status, body } = await client.request('GET', `/api/v3/assets?q=${q}`);
    expect([q, status, body.message]).toEqual([
      q,
      message === undefined ? 200 : 400,
      message && expect.stringContaining(message),
    ]);
  }
  const both = await client.request('GET', '/api/v3/assets?q=type:Server&type=Server');
  expect([both.status, both.body.message]).toEqual([
    400,
    'q, character 1: type is given too: omit one of them',
  ]);
});

it('a text of assets finds what its parameters find', async () => {
  const attributes = { department: 'R&D, Oslo', criticality: 'high' };
  const { body } = await client.zip(
    await zipOf({
      '1.json': {
        ...plainSignal('x', 'db01'),
        entity: { type: 'machine', name: 'db01', entityAttributes: attributes },
      },
      '2.json': plainSignal('x', 'db02'),
    }),
  );
  await client.folded(body.uploadId);
  const find = async (path: string, q: string) =>
    client.get(`/api/v3/assets${path}?q=${encodeURIComponent(q)}`);
  const namesOf = async (q: string) =>
    (await find('', q)).items.map(({ name }: { name: string }) => name).sort();
  expect(await namesOf('db')).toEqual(['db01', 'db02']);
  expect(await namesOf('db criticality:high')).toEqual(['db01']);
  expect(await namesOf('department:"R&D, Oslo"')).toEqual(['db01']);
  expect(await namesOf('name:db0 department:"R&D, Oslo" db02')).toEqual([]);
  expect((await find('/counts', 'criticality:high')).total).toBe(1);
});

it.each<[string, object]>([
  ['/api/v3/findings/accept', { filter: { q: BAD }, rationale: 'x', dryRun: true }],
  ['/api/v3/findings/revert', { filter: { q: BAD }, to: 'Failed', dryRun: true }],
  ['/api/v3/findings/acts', { filter: { q: BAD }, tags: { add: ['x'] }, dryRun: true }],
  ['/api/v3/views', { name: 'x', list: 'findings', query: `q=${BAD}` }],
  ['/api/v3/plans', { name: 'x', query: `q=${BAD}` }],
])('%s reads query texts', async (path, body) => {
  expect(await post(path, body)).toEqual([400, expect.stringMatching(FAILURE)]);
});

it('a saved view of assets reads query texts', async () => {
  expect(await post('/api/v3/views', { name: 'y', list: 'assets', query: 'q=scored:maybe' })).toEqual([
    400,
    expect.stringMatching(/^query\.q, character 1: scored must be one of/),
  ]);
});

it('a saved view keeps the text as it was given', async () => {
  const query = new URLSearchParams({ q: 'rdp state:Failed', sort: '-severity' }).toString();
  const { status, body } = await client.request(
    'POST',
    '/api/v3/views',
    JSON.stringify({ name: 'x', list: 'findings', query }),
  );
  expect([status, body.query]).toEqual([200, query]);
});

it('a report names the parameters of the text', async () => {
  const { request, totals } = await client.get(
    '/api/v3/reports/technical?q=rdp firstSeen:>=2026-01-01 state:Failed',
  );
  expect(request).toContain('q=rdp');
  expect(request).toContain('firstSeenAfter=2026-01-01T00%3A00%3A00.000Z');
  expect(request).toContain('state=Failed');
  expect(totals.total).toBe(0);
  expect((await client.get(request)).request).toBe(request);
});
