import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ALL_ROWS, type RowLimits } from '#libs/tables';
import { type ApiClient, plainSignal, zipOf } from '../../../../test/support/api-client.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import type { FindingFilter } from './finding-conditions.ts';
import { type CountedFindings, FindingCountsRepository } from './finding-counts.repository.ts';
import { FindingTotalsRepository } from './finding-totals.repository.ts';

const BEGIN = Date.parse('2026-03-02T08:00:00.000Z');
const DAY_MS = 24 * 60 * 60 * 1000;

let now = BEGIN;
let gateway: StartedGateway;
let client: ApiClient;

const context = (type: string, status: string, value: number, more = {}) => ({
  securityContext: { type, status: { complianceStatus: status }, severity: { value }, ...more },
});

/** Four findings on three assets; the last one expires in a day. */
const SIGNALS = {
  '1.json': plainSignal('Log4j remote code execution', 'web01.corp.example', {
    description: 'Apache Log4j2 JNDI features don’t protect (CVE-2021-44228)',
    source: { name: 'Scanner' },
    ...context('va', 'fail', 10, { standardsMapping: [{ name: 'cve', value: 'CVE-2021-44228' }] }),
  }),
  '2.json': plainSignal('Ärger with 100%_of passwords', 'web01.corp.example', {
    description: 'Passwords never expire',
    source: { name: 'Auditor' },
    ...context('ca', 'pass', 5),
  }),
  '3.json': plainSignal('Macro executed', 'db02', {
    source: { name: 'Endpoint' },
    ...context('uba', 'unknown', 2.5, { standardsMapping: [{ name: 'ttp', value: 'T1059.001' }] }),
  }),
  '4.json': plainSignal('Open port 8443', '10.0.0.5', {
    expiresAt: new Date(BEGIN + DAY_MS).toISOString(),
    firstSeen: '2026-01-10T00:00:00.000Z',
    entity: {
      type: 'machine',
      name: '10.0.0.5',
      entityAttributes: { department: 'Sales', location: 'Oslo', criticality: 'low' },
    },
    source: { name: 'Scanner' },
    ...context('va', 'fail', 7),
  }),
};

beforeAll(async () => {
  gateway = await StartedGateway.start({ folds: true, clock: () => now });
  client = await gateway.client('admin');
  const { body } = await client.zip(await zipOf(SIGNALS));
  await client.folded(body.uploadId);
});
afterAll(() => gateway.stop());

const names = async (query: string): Promise<string[]> =>
  (await client.all(`/api/v3/findings?${query}`)).map(({ name }) => name);
const short = async (query: string) => (await names(query)).map((name) => name.split(' ')[0]).sort();

it.each([
  ['epssMin=', /epssMin/],
  ['severityMin=%20', /severityMin/],
  ['severityMin=0x5', /severityMin/],
  ['q=severity:%3E%3D%22%22', /severity/],
])('a filter whose number is none is a 400: %s', async (query, message) => {
  const { status, body } = await client.request('GET', `/api/v3/findings?${query}`);
  expect([status, body.message]).toEqual([400, expect.stringMatching(message)]);
});

describe('filters of findings', () => {
  it.each([
    ['state=Failed', ['Log4j', 'Open']],
    ['state=Failed,Qualified', ['Log4j', 'Open', 'Ärger']],
    ['type=ca,uba', ['Macro', 'Ärger']],
    ['type=ca&type=uba,edr&type=ca', ['Macro', 'Ärger']],
    ['type=va&state=Qualified', []],
    ['severityMin=7', ['Log4j', 'Open']],
    ['severity=critical', ['Log4j']],
    ['severity=high,low', ['Macro', 'Open']],
    ['severity=medium&severity=high,low', ['Macro', 'Open', 'Ärger']],
    ['severity=info', []],
    ['severity=critical,high&severityMin=8', ['Log4j']],
    ['severityMin=1e-50', ['Log4j', 'Macro', 'Open', 'Ärger']],
    ['cve=cve-2021-44228', ['Log4j']],
    ['cve=CVE-2021-44229', []],
    ['technique=t1059.001', ['Macro']],
    ['source=Scanner', ['Log4j', 'Open']],
    ['source=scanner', []],
    ['name=PORT', ['Open']],
    ['name=0%25_OF', ['Ärger']],
    ['name=%25_%25', []],
    ['q=log4j', ['Log4j']],
    ['q=LOG4 apache', ['Log4j']],
    ['q=cve-2021-44228', ['Log4j']],
    ['q=44228-2021', []],
    ['q=ärger', ['Ärger']],
    ['q=expire passw', ['Ärger']],
    ['q=xpire', []],
    ["q=don't", ['Log4j']],
    ['q=8443&severityMin=8', []],
    ["q=port' %26 | !('8443:* <-> open", ['Open']],
    ['q="remote code"', ['Log4j']],
    ['q="code remote"', []],
    ['q=severity:high,critical', ['Log4j', 'Open']],
    ['q=execution severity:>=9 state:Failed', ['Log4j']],
    ['q=department:"Sales" type:va', ['Open']],
    ['q=firstSeen:<2026-03-02 state:Failed', ['Open']],
    ['q=firstSeen:>=2026-01-11 type:ca,uba', ['Macro', 'Ärger']],
    ['q=technique:t1059.001', ['Macro']],
    ['q="state:Failed"', []],
    ['q=port 8443 location:Oslo&severityMin=7', ['Open']],
    ['q=criticality:LOW&state=Failed', ['Open']],
    ['department=Sales', ['Open']],
    ['department=Unassigned&severityMin=5', ['Log4j', 'Ärger']],
    ['location=Oslo&state=Failed', ['Open']],
    ['department=Sales&location=Unassigned', []],
    ['assetType=Other', ['Log4j', 'Macro', 'Open', 'Ärger']],
    ['assetType=other', []],
    ['criticality=LOW', ['Open']],
    ['criticality=high', []],
    ['ransomware=true', []],
    ['kev=true', []],
    ['acceptedUntilBefore=2099-01-01T00:00:00Z', []],
    ['firstSeenBefore=2026-03-02T08:00:00Z', ['Open']],
    ['firstSeenBefore=2026-01-10T00:00:00Z', []],
    ['firstSeenAfter=2026-01-10T00:00:00Z&severity=high', ['Open']],
    ['firstSeenAfter=2026-01-10T00:00:00.001Z', ['Log4j', 'Macro', 'Ärger']],
    ['firstSeenAfter=2026-03-02T08:00:00.001Z', []],
  ])('%s', async (query, expected) => {
    expect(await short(query)).toEqual(expected);
    const { total } = await client.get(`/api/v3/findings/counts?${query}`);
    expect(total).toBe(expected.length);
  });

  it('hold of one asset too', async () => {
    const [asset] = await client.all('/api/v3/assets?q=web01');
    expect(await client.all(`/api/v3/assets/${asset.id}/findings?q=log4j`)).toHaveLength(1);
    expect(await short(`assetId=${asset.id}`)).toEqual(['Log4j', 'Ärger']);
  });

  it('hold of the past as of the past, search included', async () => {
    now += 1000;
    const asOf = `asOf=${new Date(now - 1).toISOString()}`;
    expect(await short(`${asOf}&q=8443`)).toEqual(['Open']);
    expect(await short(`${asOf}&type=ca&severityMin=1e-50`)).toEqual(['Ärger']);
    expect(await short(`${asOf}&type=ca,uba&state=NotAssessed,Qualified`)).toEqual(['Macro', 'Ärger']);
    expect(await short(`${asOf}&department=Sales&location=Oslo&criticality=low`)).toEqual(['Open']);
    expect(await short(`${asOf}&assetType=Other&department=Unassigned&severityMin=10`)).toEqual(['Log4j']);
    expect(await short(`${asOf}&criticality=high`)).toEqual([]);
    expect(await short(`${asOf}&q=port firstSeen:<2026-03-01 severity:high`)).toEqual(['Open']);
    expect(await short(`${asOf}&firstSeenBefore=2026-03-02T08:00:00Z`)).toEqual(['Open']);
    expect(await short(`${asOf}&firstSeenAfter=2026-02-01T00:00:00Z&severity=low,high`)).toEqual(['Macro']);
    expect(await client.get(`/api/v3/findings/counts?${asOf}&severity=info,medium`)).toMatchObject({
      total: 1,
    });
    expect(await client.all(`/api/v3/assets?${asOf}&q=10.0.0.5`)).toHaveLength(1);
  });
});

describe('filters of assets', () => {
  it.each([
    ['q=web01', ['web01.corp.example']],
    ['q=corp.ex', ['web01.corp.example']],
    ['q=10.0.0', ['10.0.0.5']],
    ['q=0.0.10', []],
    ['name=DB', ['db02']],
    ['name=%25', []],
    ['source=Scanner', ['10.0.0.5', 'web01.corp.example']],
    ['criticality=high', []],
    ['department=Unassigned&location=Unassigned&q=db02', ['db02']],
    ['sort=name', ['10.0.0.5', 'db02', 'web01.corp.example']],
    ['sort=-name', ['web01.corp.example', 'db02', '10.0.0.5']],
  ])('%s', async (query, expected) => {
    const found = (await client.all(`/api/v3/assets?${query}`)).map(({ name }) => name.toLowerCase());
    expect(query.startsWith('sort') ? found : found.sort()).toEqual(expected);
    if (query.startsWith('sort')) return;
    expect((await client.get(`/api/v3/assets/counts?${query}`)).total).toBe(expected.length);
  });

  it('are counted', async () => {
    const counts = await client.get('/api/v3/assets/counts');
    expect(counts).toMatchObject({
      total: 3,
      department: { Unassigned: 2, Sales: 1 },
      location: { Unassigned: 2, Oslo: 1 },
      criticality: { none: 2, low: 1 },
    });
    const sum = (of: Record<string, number>) => Object.values(of).reduce((a, b) => a + b, 0);
    expect([sum(counts.type), sum(counts.attackSurface)]).toEqual([3, 3]);
  });
});

describe('sorting', () => {
  const page = (path: string, more: string) => client.get(`${path}?limit=1&${more}`);

  it.each([
    ['severity', ['Macro', 'Ärger', 'Open', 'Log4j']],
    ['name', ['Log4j', 'Macro', 'Open', 'Ärger']],
    ['assetName', ['Open', 'Macro']],
    ['updatedAt', null],
  ])('by %s continues from page to page, in both directions', async (key, expected) => {
    const walk = async (sort: string) => {
      const found: string[] = [];
      for (let cursor = ''; ; ) {
        const { items, nextCursor } = await page('/api/v3/findings', `sort=${sort}${cursor}`);
        found.push(...items.map(({ name }: { name: string }) => name.split(' ')[0]));
        if (!nextCursor) return found;
        cursor = `&cursor=${nextCursor}`;
      }
    };
    const ascending = await walk(key);
    expect(new Set(ascending).size).toBe(4);
    if (expected) expect(ascending.slice(0, expected.length)).toEqual(expected);
    expect(await walk(`-${key}`)).toEqual(ascending.reverse());
  });

  it('is remembered by the cursor', async () => {
    const { nextCursor } = await page('/api/v3/findings', 'sort=severity');
    for (const other of ['sort=-severity', 'sort=name', '']) {
      const answer = await client.request('GET', `/api/v3/findings?cursor=${nextCursor}&${other}`);
      expect([answer.status, answer.body.message]).toEqual([400, expect.stringMatching(/^cursor/)]);
    }
  });

  it.each([
    ['severity', 'x', 1, 1],
    ['severity', '1e99', 1, 1],
    ['severity', '1e-46', 1, 1],
    ['severity', '0.1e-45', 1, 1],
    ['updatedAt', '1.5', 1, 1],
    ['name', '\0', 1, 1],
    ['name', 'a', 'b', 1],
    ['name', 'a', 1],
    ['name', 5, 1, 1],
  ])('rejects a cursor that no list has returned: %j', async (...keys) => {
    const cursor = Buffer.from(JSON.stringify(keys)).toString('base64url');
    const answer = await client.request('GET', `/api/v3/findings?sort=${keys[0]}&cursor=${cursor}`);
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringMatching(/^cursor/)]);
  });

  it.each([
    ['1e-45', 4],
    ['1.1754944e-38', 4],
    ['0.00012345679', 4],
    ['0.0033333334', 4],
    ['7.1', 1],
  ])('continues after a severity of %s', async (key, left) => {
    const cursor = Buffer.from(JSON.stringify(['severity', key, 1, 1])).toString('base64url');
    const { items } = await client.get(`/api/v3/findings?sort=severity&cursor=${cursor}`);
    expect(items).toHaveLength(left);
  });

  it('takes numbers of a cursor that no row has', async () => {
    const cursor = Buffer.from(JSON.stringify([9e15, 9e15])).toString('base64url');
    expect(await client.get(`/api/v3/findings?cursor=${cursor}`)).toEqual({ items: [], nextCursor: null });
  });
});

describe('bad input', () => {
  const FINDINGS = [
    '/api/v3/findings',
    '/api/v3/findings/counts',
    '/api/v3/findings/export?format=csv',
    '/api/v3/findings/groups?by=cve',
  ];
  const ASSETS = ['/api/v3/assets', '/api/v3/assets/counts', '/api/v3/assets/export?format=csv'];

  it.each([
    [FINDINGS, 'type=disk'],
    [FINDINGS, 'type=va,'],
    [FINDINGS, 'type=va&type=disk'],
    [FINDINGS, 'state[]=Failed'],
    [FINDINGS, 'state=open'],
    [FINDINGS, 'severityMin=11'],
    [FINDINGS, 'severityMin=high'],
    [FINDINGS, 'severity=urgent'],
    [FINDINGS, 'firstSeenAfter=2026-01-01'],
    [FINDINGS, 'firstSeenBefore=yesterday'],
    [FINDINGS, 'kev=false'],
    [FINDINGS, 'cve=1'],
    [FINDINGS, 'technique=%00'],
    [FINDINGS, 'source=LONG'],
    [FINDINGS, 'name=LONG'],
    [FINDINGS, 'name=a&name=b'],
    [FINDINGS, 'name=%00'],
    [FINDINGS, 'assetId=1'],
    [FINDINGS, 'q=LONG'],
    [FINDINGS, 'q=%00'],
    [FINDINGS, 'q=...'],
    [FINDINGS, 'q='],
    [FINDINGS, 'colour=red'],
    [FINDINGS.slice(0, 1), 'sort=lastSeen'],
    [FINDINGS.slice(2), 'sort=name&asOf=2026-01-01T00:00:00Z'],
    [FINDINGS.slice(1, 2), 'sort=name'],
    [FINDINGS.slice(2), 'cursor=WzEsMV0'],
    [FINDINGS.slice(2), 'format=xlsx'],
    [FINDINGS, 'title=%00'],
    [FINDINGS, `title=${'x'.repeat(1201)}`],
    [FINDINGS.slice(3), 'limit=501'],
    [FINDINGS.slice(3), 'limit=0'],
    [['/api/v3/findings/groups'], 'by=component'],
    [['/api/v3/findings/groups'], 'by=cve&by=title'],
    [ASSETS, 'name=LONG'],
    [ASSETS, 'criticality=urgent'],
    [ASSETS, 'department=LONG'],
    [ASSETS, 'location=%00'],
    [ASSETS, 'attackSurface=a&attackSurface=b'],
    [ASSETS, 'customField.team=a&customField.team=b'],
    [ASSETS, 'customField.team=%00'],
    [ASSETS, 'notSeenDays=0'],
    [ASSETS, 'notSeenDays=1.5'],
    [ASSETS, 'notSeenDays=3651'],
    [ASSETS, 'notSeenDays=7&asOf=2026-01-01T00:00:00Z'],
    [ASSETS, 'q=%26'],
    [ASSETS, 'colour=red'],
    [ASSETS.slice(0, 1), 'sort=failed'],
    [ASSETS.slice(2), 'format=sarif'],
  ])('of %j: %s', async (paths, query) => {
    for (const path of paths) {
      const given = query.replace('LONG', 'x'.repeat(1100));
      const answer = await client.request('GET', `${path}${path.includes('?') ? '&' : '?'}${given}`);
      expect([answer.status, answer.body.message]).toEqual([
        400,
        expect.stringContaining(query.split(/=|\[/)[0]!),
      ]);
    }
  });

  it.each([
    ['q=rdp due:2026-06-30', 'q, character 9: expected due:<'],
    ['q=severity:urgent', 'q, character 1: severity must be one of critical, high, medium, low, info'],
    ['q=a severity:>=11', 'q, character 3: severityMin must not be greater than 10'],
    ['q=department:"Sales', 'q, character 12: expected a closing quote, and then a space'],
    ['q=-tag:new', 'q, character 1: a filter cannot be negated: omit the -'],
    ['state=Failed&q=x state:Retired', 'q, character 3: state is given too: omit one of them'],
    [`q=${'x'.repeat(201)} state:Failed`, 'q must contain at most 200 characters besides filters'],
    ['q=state:Failed ...', 'q must contain at least one letter or digit'],
  ])('of a query text: %s', async (query, message) => {
    for (const path of FINDINGS) {
      const answer = await client.request('GET', `${path}${path.includes('?') ? '&' : '?'}${query}`);
      expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(message)]);
    }
  });

  it.each([
    ['q=x customField."Team', 'q, character 15: expected a closing quote, and then a colon'],
    ['q=customField.Team:', 'q, character 18: expected a value after customField.NAME:'],
    ['customField.t=c&q=a customField.t:b', 'q, character 3: customField.t is given too: omit one of them'],
    [
      `q=a customField.t:${'b'.repeat(990)}${'c'.repeat(30)}`,
      'q must be shorter than or equal to 1000 characters',
    ],
    [
      `q=${Array.from({ length: 11 }, (_, n) => `customField.f${n}:x`).join(' ')}`,
      'customField: a request can filter by at most 10 custom fields',
    ],
  ])('of a query text with custom fields: %s', async (query, message) => {
    for (const path of ASSETS) {
      const answer = await client.request('GET', `${path}${path.includes('?') ? '&' : '?'}${query}`);
      expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(message)]);
    }
  });

  it('an export names its format', async () => {
    for (const list of ['findings', 'assets']) {
      const { status, body } = await client.request('GET', `/api/v3/${list}/export`);
      expect([status, body.message]).toEqual([400, expect.stringMatching(/format/)]);
    }
  });
});

/** Near the end of this file: time continues. */
describe('counts of findings', () => {
  it('agree with the list, for every kind', async () => {
    expect(await client.get('/api/v3/findings/counts')).toEqual({
      total: 4,
      state: { Failed: 2, Qualified: 1, NotAssessed: 1 },
      type: { va: 2, ca: 1, uba: 1 },
      severityLevel: { critical: 1, high: 1, medium: 1, low: 1 },
      assetType: expect.any(Object),
    });
  });

  it('include due transitions before the fold has processed them', async () => {
    now = BEGIN + DAY_MS;
    client = await gateway.client('admin');
    expect(await client.get('/api/v3/findings/counts?type=va')).toMatchObject({
      total: 1,
      state: { Failed: 1 },
    });
    expect(await short('state=Retired')).toEqual(['Open']);
    expect(await short('state=Retired,Failed&sort=name')).toEqual(['Log4j', 'Open']);
    expect(await client.get('/api/v3/findings/counts?state=Retired,Failed')).toMatchObject({
      state: { Failed: 1, Retired: 1 },
    });
    expect(await client.get('/api/v3/findings/counts?state=Retired')).toMatchObject({
      total: 1,
      state: { Retired: 1 },
    });
  });
});

describe('totals of findings', () => {
  const sorted = (counted: CountedFindings[] | null) =>
    counted?.map((group) => JSON.stringify(Object.entries(group).sort())).sort();
  const both = async (filter: FindingFilter, rows: RowLimits = ALL_ROWS) => {
    const { db } = gateway.database;
    return [
      await new FindingTotalsRepository(db).count(filter, rows, now),
      await new FindingCountsRepository(db, db).count(filter, rows, now),
    ];
  };
  const sales: RowLimits = { departments: ['Sales', 'IT'], locations: null };

  // One finding has expired, and no sweep has retired it.
  it.each<[FindingFilter, RowLimits]>([
    [{}, ALL_ROWS],
    [{ state: ['Failed', 'Retired'] }, ALL_ROWS],
    [{ state: 'Retired', type: ['va', 'ca'] }, ALL_ROWS],
    [{ severityMin: 0 }, ALL_ROWS],
    [{ severityMin: 4, state: ['Failed', 'Qualified', 'Retired'] }, ALL_ROWS],
    [{ severity: ['critical', 'medium'], state: ['Failed', 'Qualified'] }, ALL_ROWS],
    [{ severity: 'high', severityMin: 4, state: ['Failed', 'Retired'] }, ALL_ROWS],
    [{ assetType: 'Other', department: 'Unassigned' }, ALL_ROWS],
    [{ state: ['Failed', 'Retired'] }, sales],
    [{ department: 'Unassigned' }, sales],
    [{}, { departments: [], locations: null }],
  ])('equal the count of the findings: %j, %j', async (filter, rows) => {
    const [totals, counts] = await both(filter, rows);
    expect(sorted(totals!)).toEqual(sorted(counts!));
  });

  it.each<[FindingFilter, RowLimits]>([
    [{ severityMin: 7.5 }, ALL_ROWS],
    [{ location: 'Oslo' }, ALL_ROWS],
    [{ cve: 'CVE-2021-44228' }, ALL_ROWS],
    [{}, { departments: null, locations: ['Oslo'] }],
  ])('do not answer %j, %j', async (filter, rows) => {
    expect((await both(filter, rows))[0]).toBeNull();
  });

  it('do not answer until all findings are counted', async () => {
    const counts = await client.get('/api/v3/findings/counts');
    const { pool } = gateway.database;
    await pool.query('delete from finding_totals; update totals_progress set counted_assets = 0');
    try {
      expect((await both({}))[0]).toBeNull();
      expect(await client.get('/api/v3/findings/counts')).toEqual(counts);
    } finally {
      await pool.query('update totals_progress set next_offset = 0');
    }
  });
});

/** Near the end of this file: time continues. */
it('finds assets that no source reports any more, and counts them by source', async () => {
  now = BEGIN + 10 * DAY_MS;
  client = await gateway.client('admin');
  const { body } = await client.signal(SIGNALS['3.json']);
  await client.folded(body.uploadId);
  const found = await client.all('/api/v3/assets?notSeenDays=7&sort=name');
  expect(found.map(({ name }) => name)).toEqual(['10.0.0.5', 'web01.corp.example']);
  expect((await client.get('/api/v3/assets/counts?notSeenDays=7')).total).toBe(2);
  expect(await client.get('/api/v3/assets/coverage?notSeenDays=7')).toEqual({
    notSeenDays: 7,
    assets: 3,
    notSeen: 2,
    sources: [
      { source: 'Scanner', assets: 2, notSeen: 2 },
      { source: 'Auditor', assets: 1, notSeen: 1 },
      { source: 'Endpoint', assets: 1, notSeen: 0 },
    ],
  });
  expect(await client.get('/api/v3/assets/coverage')).toMatchObject({ notSeenDays: 30, notSeen: 0 });
});

/** Last in this file: the lists and counts above do not contain these assets. */
describe('names in all scripts', () => {
  const [ODOS, ISTANBUL, CAFE] = ['ΟΔΟΣ-01', 'İSTANBUL', 'Cafe\u0301-Mu\u0308nchen'];
  let asOf: string;
  beforeAll(async () => {
    const signals = [ODOS, ISTANBUL, CAFE].map((name, i) => [`${i}.json`, plainSignal(`of ${name}`, name)]);
    const { body } = await client.zip(await zipOf(Object.fromEntries(signals)));
    await client.folded(body.uploadId);
    now += 1000;
    asOf = new Date(now - 1).toISOString();
  });

  it.each([
    ['name=ΟΔΟΣ', ODOS],
    ['name=ΟΔΟΣ-0', ODOS],
    ['name=İSTANBUL', ISTANBUL],
    ['name=İst', ISTANBUL],
    ['name=café-mün', CAFE],
    ['name=CAFE\u0301-mün', CAFE],
    ['q=İSTANBUL', ISTANBUL],
    ['q=Cafe\u0301', CAFE],
    ['q=Café', CAFE],
    ['q="café mün"', CAFE],
    ['q=cafe\u0301-münchen', CAFE],
  ])('%s finds what has it, now and as of an instant', async (query, name) => {
    const given = new URLSearchParams([query.split('=') as [string, string]]);
    for (const past of ['', `&asOf=${asOf}`]) {
      const found = await client.all(`/api/v3/assets?${given}${past}`);
      expect(found.map((asset) => asset.name)).toEqual([name]);
      const findings = await client.all(`/api/v3/findings?${given}${past}`);
      expect(findings.map((finding) => finding.assetName)).toEqual([name]);
    }
  });
});

describe('words in tags of an asset', () => {
  let asOf: string;
  beforeAll(async () => {
    const tags = { note: 'owner alice\r\n\r\nrack\ttwelve\u0001seven', path: 'C:\\new\\\nold' };
    const entity = { type: 'machine', name: 'CORP\\bob', entityAttributes: { tags } };
    const { body } = await client.zip(await zipOf({ '1.json': plainSignal('of bob', 'bob', { entity }) }));
    await client.folded(body.uploadId);
    now += 1000;
    asOf = new Date(now - 1).toISOString();
  });

  it.each(['alice', 'rack', 'twelve', 'seven', 'new', 'old', 'bob', '"alice rack twelve"'])(
    '%s is found beside line breaks, tabs and backslashes, now and as of an instant',
    async (q) => {
      for (const past of ['', `&asOf=${asOf}`]) {
        const found = await client.all(`/api/v3/assets?q=${encodeURIComponent(q)}${past}`);
        expect(found.map(({ name }: { name: string }) => name)).toEqual([expect.stringMatching(/bob$/i)]);
      }
    },
  );

  it.each(['nrack', 'ttwelve', 'ew'])('%s is none', async (q) => {
    expect(await client.all(`/api/v3/assets?q=${q}`)).toEqual([]);
  });
});
