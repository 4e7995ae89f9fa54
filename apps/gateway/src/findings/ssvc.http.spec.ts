import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isoTime } from '#libs/domain';
import { ScoredSite } from '../../../../test/fixtures/scores/scored-site.ts';
import { DAY_MS } from '../../../../test/support/scenario.ts';

const BEGIN = Date.parse('2026-03-02T08:00:00.000Z');
const KNOWN = 'CVE-2021-44228';
const UNKNOWN = 'CVE-2024-10001';
const KEV = { cve: KNOWN, added: '2026-03-01', due: '2026-03-22', ransomware: true };

let site: ScoredSite;
/** Before the CVE was in KEV. */
let before: string;

beforeAll(async () => {
  site = await ScoredSite.start(BEGIN);
  const critical = { criticality: 'critical' };
  await site.addSignals(
    { name: 'exploited', host: 'web01', cve: KNOWN, attributes: critical },
    { name: 'exploited', host: 'db01', cve: KNOWN },
    { name: 'another', host: 'web01', cve: UNKNOWN, severity: 5, attributes: critical },
    { name: 'unmapped', host: 'web01', cve: null },
    { name: 'fixed', host: 'web01', cve: KNOWN, status: 'pass' },
    { name: 'known risk', host: 'web01', cve: KNOWN },
  );
  await site.accept(await site.findingId('known risk'));
  before = isoTime(site.pass());
  const { pool } = site.gateway.database;
  await pool.query(
    `insert into catalogue_rows (catalogue, cve, value, valid_from) values
       ('kev', $1, '{"dateAdded": "2026-03-01", "dueDate": "2026-03-22", "isUsedByRansomware": true}', $2),
       ('epss', $1, '{"probability": 0.975, "date": "2026-03-01"}', $2),
       ('epss', $3, '{"probability": 0.04, "date": "2026-03-01"}', $2)`,
    [KNOWN, isoTime(site.now), UNKNOWN],
  );
  await pool.query(
    `insert into rescorings select distinct partition, asset_no, $2::timestamptz from findings where cves && $1::text[]`,
    [[KNOWN, UNKNOWN], isoTime(site.now)],
  );
  await site.score();
});
afterAll(() => site.stop());

interface Found {
  name: string;
  assetName: string;
  ssvc: { decision: string } | null;
}

const listed = async (query: string) => {
  const found: Found[] = await site.client.all(`/api/v3/findings?${query}`);
  return found.map(({ name, assetName }) => `${name} on ${assetName}`).sort();
};

async function exported(query: string): Promise<string> {
  const { gateway } = site;
  const basic = `Basic ${Buffer.from(gateway.credentialsOf('admin')).toString('base64')}`;
  const auth = await fetch(`${gateway.url}/api/v3/auth`, {
    method: 'POST',
    headers: { authorization: basic },
  });
  const { accessToken } = (await auth.json()) as { accessToken: string };
  const authorization = `Bearer ${accessToken}`;
  return (
    await fetch(`${gateway.url}/api/v3/findings/export?${query}`, { headers: { authorization } })
  ).text();
}

describe('the filter by decision', () => {
  it.each([
    ['ssvc=Act', ['exploited on web01']],
    ['ssvc=Act,Attend', ['exploited on db01', 'exploited on web01']],
    ['ssvc=Act&ssvc=Track', ['another on web01', 'exploited on web01']],
    ['ssvc=Track*', []],
    ['ssvc=Act,Attend&name=xploited&severityMin=9', ['exploited on db01', 'exploited on web01']],
    ['ssvc=Act&state=Failed,Retired', ['exploited on web01']],
    ['ssvc=Act&state=AcceptedFailed', []],
    [`ssvc=Act&cve=${UNKNOWN}`, []],
    ['ransomware=true', ['exploited on db01', 'exploited on web01']],
    ['ransomware=true&state=AcceptedFailed', []],
    ['kev=true', ['exploited on db01', 'exploited on web01']],
    ['kev=true&ssvc=Act', ['exploited on web01']],
    ['kev=true&state=Qualified', []],
    ['epssMin=0', ['another on web01', 'exploited on db01', 'exploited on web01']],
    ['epssMin=0.04', ['another on web01', 'exploited on db01', 'exploited on web01']],
    ['epssMin=0.041', ['exploited on db01', 'exploited on web01']],
    ['epssMin=0.9&ssvc=Act', ['exploited on web01']],
    ['q=epss:>=0.9 name:xploited', ['exploited on db01', 'exploited on web01']],
    ['epssMin=1', []],
    ['epssMin=0.5&state=AcceptedFailed', []],
  ])('%s', async (query, expected) => {
    expect(await listed(query)).toEqual(expected);
    expect(await site.client.get(`/api/v3/findings/counts?${query}`)).toMatchObject({
      total: expected.length,
    });
    const lines = (await exported(`${query}&format=jsonl`)).split('\n').filter(Boolean);
    expect(lines).toHaveLength(expected.length);
  });

  it('holds of the findings of an asset', async () => {
    const found: Found[] = await site.client.all(
      `/api/v3/assets/${await site.assetId('db01')}/findings?ssvc=Attend`,
    );
    expect(found.map(({ name }) => name)).toEqual(['exploited']);
  });

  it('holds of a bulk action: nothing else is accepted', async () => {
    const { body } = await site.post('/api/v3/findings/accept', {
      filter: { ssvc: ['Act'] },
      rationale: 'known',
      dryRun: true,
    });
    expect(body.findings.map(({ assetName }: Found) => assetName)).toEqual(['web01']);
  });

  it.each(['-0.1', '1.1', 'high'])('is a 400 with the probability %s', async (value) => {
    const { status, body } = await site.client.request('GET', `/api/v3/findings?epssMin=${value}`);
    expect([status, body.message]).toEqual([400, expect.stringContaining('epssMin')]);
  });

  it('by EPSS holds of a bulk action', async () => {
    const { body } = await site.post('/api/v3/findings/accept', {
      filter: { epssMin: 0.9, criticality: 'critical' },
      rationale: 'known',
      dryRun: true,
    });
    expect(body.findings.map(({ assetName, name }: Found) => `${name} on ${assetName}`)).toEqual([
      'exploited on web01',
    ]);
  });

  it.each(['', '/counts', '/export'])('is a 400 with another word: findings%s', async (path) => {
    const format = path === '/export' ? '&format=csv' : '';
    const { status, body } = await site.client.request('GET', `/api/v3/findings${path}?ssvc=act${format}`);
    expect([status, body.message]).toEqual([
      400,
      expect.stringContaining('ssvc must be one of Track, Track*, Attend, Act'),
    ]);
  });

  it.each([
    ['', 'ssvc'],
    ['/counts', 'ssvc'],
    ['/export', 'ssvc'],
    ['/counts', 'ransomware'],
    ['/counts', 'kev'],
    ['', 'epssMin'],
    ['/counts', 'epssMin'],
  ])('is a 400 as of an instant: findings%s by %s', async (path, by) => {
    const format = path === '/export' ? '&format=csv' : '';
    const value = { ssvc: 'Act', epssMin: '0.5' }[by] ?? 'true';
    const query = `${by}=${value}&asOf=${before}${format}`;
    const { status, body } = await site.client.request('GET', `/api/v3/findings${path}?${query}`);
    expect([status, body.message]).toEqual([
      400,
      `${by}: findings as of an instant cannot be filtered by decision. Omit ${by} or asOf`,
    ]);
  });
});

const single = async (name: string, query = '') =>
  site.client.get(`/api/v3/findings/${await site.findingId(name)}${query}`);

describe('a finding', () => {
  it('has its decision with the inputs and the entry of KEV, alone and in lists', async () => {
    const expected = {
      decision: 'Track',
      exploitation: 'none',
      automatable: false,
      technicalImpact: 'partial',
      missionImpact: 'high',
      cve: UNKNOWN,
    };
    expect(await single('another')).toMatchObject({ ssvc: expected, epss: 0.04, kev: null });
    const [act] = await site.client.all('/api/v3/findings?ssvc=Act');
    const ssvc = {
      ...expected,
      decision: 'Act',
      exploitation: 'active',
      technicalImpact: 'total',
      cve: KNOWN,
    };
    expect([act.ssvc, act.epss, act.kev]).toEqual([ssvc, 0.975, KEV]);
    const found = await site.client.get(`/api/v3/findings/${act.id}`);
    expect(found).toMatchObject({ ssvc, epss: 0.975, kev: KEV });
    expect(await site.client.get(`/api/v3/findings/${act.id.toUpperCase()}`)).toEqual(found);
  });

  it.each([
    ['unmapped', { epss: null, kev: null }],
    ['fixed', { epss: 0.975, kev: KEV }],
    ['known risk', { epss: 0.975, kev: KEV }],
  ])('has none, but what EPSS and KEV say of its CVEs: %s', async (name, known) => {
    expect(await single(name)).toMatchObject({ ssvc: null, ...known });
    const found = await site.client.all('/api/v3/findings?state=Failed,Qualified,AcceptedFailed');
    expect(found.find((one: Found) => one.name === name)).toMatchObject({ ssvc: null, ...known });
  });

  it('has the decision of an instant, computed from the history', async () => {
    const [{ id }] = await site.client.all('/api/v3/findings?ssvc=Act');
    expect(await site.client.get(`/api/v3/findings/${id}?asOf=${before}`)).toMatchObject({
      ssvc: { decision: 'Track*', exploitation: 'none', cve: KNOWN },
      epss: null,
      kev: null,
    });
    const at = isoTime(site.pass());
    const [present, past] = await Promise.all(
      ['', `asOf=${at}`].map((query): Promise<Found[]> => site.client.all(`/api/v3/findings?${query}`)),
    );
    expect(present!.filter(({ ssvc }) => ssvc)).toHaveLength(3);
    expect(past!.map(({ ssvc }) => ssvc)).toEqual(present!.map(({ ssvc }) => ssvc));
  });

  it('has its decision in exports', async () => {
    const csv = await exported('ssvc=Act&format=csv');
    const [header, row] = csv.split('\r\n').map((line) => line.split(','));
    const cell = (column: string) => row![header!.indexOf(column)];
    expect([cell('ssvc'), cell('kevDueDate'), cell('epss')]).toEqual(['Act', '2026-03-22', '0.975']);
    const { runs } = JSON.parse(await exported('ssvc=Act&format=sarif'));
    expect(runs[0].results[0].properties).toMatchObject({ ssvc: 'Act' });
  });
});

describe('a due date by KEV', () => {
  const SLA = { severity: { critical: 30 }, kev: 14 };
  const named = 'name=sla%20hole&sla=overdue';
  const change = (sla: object | null) =>
    site.client.request('PATCH', '/api/v3/settings', JSON.stringify({ sla }), {
      'content-type': 'application/json',
    });
  const days = async (count: number) => {
    site.pass(count * DAY_MS);
    await site.signInAgain();
  };

  it('is that of any failing CVE that KEV lists, also if the decision is of another one', async () => {
    const hole = { name: 'two holes', host: 'sla02', severity: 7.5 };
    const vector = 'CVSS:3.1/AV:L/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H/E:P';
    await site.addSignals({ ...hole, port: 22, cve: KNOWN }, { ...hole, port: 23, cve: UNKNOWN, vector });
    await change({ severity: { high: 30 }, kev: 7 });
    const found = await single('two holes');
    const due = isoTime(Date.parse(found.firstSeen) + 7 * DAY_MS);
    const expected = { ssvc: { decision: 'Track*', exploitation: 'poc', cve: UNKNOWN }, kev: KEV, due };
    expect(found).toMatchObject(expected);
    expect(await single('two holes', `?asOf=${isoTime(site.pass())}`)).toMatchObject(expected);
    for (const query of ['kev=true', 'ransomware=true', `dueBefore=${isoTime(Date.parse(due) + 1)}`]) {
      expect(await listed(`name=two%20holes&${query}`)).toEqual(['two holes on sla02']);
    }
    await change(null);
  });

  it('stays when a scan gives no result', async () => {
    const expiresAt = isoTime(site.now + 90 * DAY_MS);
    const scan = (status: 'fail' | 'unknown') =>
      site.addSignals({ name: 'sla hole', host: 'sla01', cve: KNOWN, status, expiresAt });
    await scan('fail');
    const { firstSeen } = await single('sla hole');
    await change(SLA);
    await days(20);
    const due = isoTime(Date.parse(firstSeen) + 14 * DAY_MS);
    const expected = { due, dueBy: 'sla', sla: 'overdue' };
    expect(await single('sla hole')).toMatchObject({ state: 'Failed', ...expected });
    await scan('unknown');
    const notAssessed = { state: 'NotAssessed', ssvc: null, ...expected };
    expect(await single('sla hole')).toMatchObject(notAssessed);
    expect(await single('sla hole', `?asOf=${isoTime(site.pass())}`)).toMatchObject(notAssessed);
    for (const sort of ['', '&sort=due', '&sort=-severity']) {
      expect(await site.client.all(`/api/v3/findings?${named}${sort}`)).toMatchObject([notAssessed]);
    }
    expect((await site.client.get(`/api/v3/findings/counts?${named}`)).total).toBe(1);
    expect((await site.client.get(`/api/v3/findings/counts?${named}&kev=true`)).total).toBe(0);
    expect(await listed('name=sla%20hole&kev=true')).toEqual([]);
    expect(await listed('name=sla%20hole&sla=due')).toEqual([]);
    await change(null);
  });
});
