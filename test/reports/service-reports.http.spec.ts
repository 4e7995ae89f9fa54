import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isoTime } from '#libs/domain';
import { runPosture } from '../../apps/cli/src/posture.ts';
import type { BoardReportDto } from '../../apps/gateway/src/board-report/board-report.dto.ts';
import type { TechnicalReportDto } from '../../apps/gateway/src/technical-report/technical-report.dto.ts';
import { recordingTerminal } from '../fixtures/cli/simulated-service.ts';
import { ScoredSite } from '../fixtures/scores/scored-site.ts';

const MONDAY = Date.parse('2026-03-02T08:00:00.000Z');
const DAY_MS = 86_400_000;
const BOARD = '/api/v3/reports/board';
const TECHNICAL = '/api/v3/reports/technical';
const EVIL = `<script>alert('x')</script> & "more"`;

let site: ScoredSite;
/** After the first findings. */
let before: string;

const act = async (name: string, what: string, body: object) => {
  const { status } = await site.post(`/api/v3/findings/${await site.findingId(name)}/${what}`, body);
  expect(status).toBe(200);
};
const report = (query = '') => site.client.get<BoardReportDto>(`${BOARD}${query}`);
const technical = (query = '') => site.client.get<TechnicalReportDto>(`${TECHNICAL}${query}`);
const pageOf = (request: string) =>
  fetch(`${site.gateway.url}${request}`, {
    headers: { authorization: site.client.authorization, accept: 'text/html,application/xhtml+xml' },
  });

beforeAll(async () => {
  site = await ScoredSite.start(MONDAY);
  await site.addSignals(
    { name: EVIL, host: 'web01', cve: 'CVE-2024-10001', attributes: { department: 'Sales' } },
    { name: 'cipher', host: 'web02', cve: 'CVE-2024-10002' },
    { name: 'lent', host: 'web02', cve: 'CVE-2024-10003' },
    { name: 'given', host: 'web02', cve: 'CVE-2024-10004' },
  );
  await act(EVIL, 'due', { due: isoTime(site.now + 1_000) });
  await act('lent', 'accept', { rationale: 'known', until: isoTime(site.now + 10 * DAY_MS) });
  await act('given', 'accept', { rationale: 'known', until: isoTime(site.now + 90 * DAY_MS) });
  await site.score();
  site.pass(60_000);
  before = isoTime(site.pass());
});
afterAll(() => site.stop());

describe('the board report (R-BOARD)', () => {
  it('agrees with the scores, and names movers, fixes, overdue findings and acceptances', async () => {
    const told = await report();
    expect(told.score).toEqual({
      ...(await site.client.get<object>('/api/v3/scores/organization')),
      at: told.at,
    });
    expect([told.at, told.from]).toEqual([
      isoTime(site.now - 1_000),
      isoTime(site.now - 1_000 - 30 * DAY_MS),
    ]);
    expect(told.fixes).toEqual({
      ...(await site.client.get<object>('/api/v3/scores/fixes')),
      at: told.at,
    });
    expect(told.trend.at(-1)!.score).toBe(told.score.score);
    expect(told.movers.difference).toBe(told.score.score);
    expect(told.movers.causes.map(({ kind, assetName }) => `${kind} ${assetName}`).sort()).toEqual([
      'asset web01',
      'asset web02',
    ]);
    expect(told.fixes.findings.map(({ name }) => name).sort()).toEqual([EVIL, 'cipher']);
    expect(told.overdue).toMatchObject({ total: 1, findings: [{ name: EVIL }] });
    expect(told.endingAcceptances).toMatchObject({ total: 1, findings: [{ name: 'lent' }] });
    expect(told.groups.departments.map(({ name }) => name).sort()).toEqual(['Sales', 'Unassigned']);
    expect(told.groups.assetTypes).toMatchObject([{ name: 'Other', assets: 2 }]);
  });

  it('is the same when it is requested again, whatever happens later', async () => {
    const first = await report();
    expect(await site.client.get(first.request)).toEqual(first);
    // Before the end of the last second something is folded, and the history is read.
    site.pass(-500);
    await act('cipher', 'tags', { add: ['seen'] });
    site.pass(500);
    const read = await report();
    expect(read).toEqual(first);
    const earlier = await report(`?asOf=${before}`);
    expect(earlier.at).toBe(before);
    const listed = await technical();
    expect(listed.findings.flatMap(({ tags }) => tags)).toEqual([]);
    await site.addSignals({ name: EVIL, host: 'web01', cve: 'CVE-2024-10001', status: 'pass' });
    await act('lent', 'revert', { to: 'Failed' });
    await site.score();
    site.pass();
    expect(await site.client.get(first.request)).toEqual(first);
    expect(await report(`?asOf=${before}`)).toEqual(earlier);
    expect(await site.client.get(listed.request)).toEqual(listed);
    expect(await report()).toMatchObject({ overdue: { total: 0 }, endingAcceptances: { total: 0 } });
    expect((await technical()).totals.state).not.toEqual(listed.totals.state);
  });

  it('computes the fixes of assets that wait to be scored', async () => {
    await site.fold({ name: 'waiting', host: 'web03', cve: 'CVE-2024-10005' });
    site.pass();
    const told = await report();
    expect(told.fixes.findings.map(({ name }) => name)).toContain('waiting');
    await site.score();
    const { fixes } = await site.client.get<BoardReportDto>(told.request);
    expect(fixes).toEqual(told.fixes);
  });

  it('is empty before the first event', async () => {
    const told = await report('?asOf=2020-01-01T00:00:00Z');
    expect(told).toMatchObject({
      score: { score: null, assets: 0 },
      movers: { causes: [], difference: 0 },
      overdue: { total: 0, findings: [] },
      groups: { departments: [] },
    });
  });

  it('says whether the SLA of its time has days that it leaves out, as the technical report does', async () => {
    const told = async (query = '') =>
      (await Promise.all([report(query), technical(query)])).map(
        ({ slaBySeverityOnly }) => slaBySeverityOnly,
      );
    const { body } = await site.client.request(
      'PATCH',
      '/api/v3/settings',
      JSON.stringify({ sla: { kev: 14 } }),
    );
    expect(body).toMatchObject({ sla: { kev: 14 } });
    site.pass(2_000);
    expect(await told()).toEqual([true, true]);
    expect(await told(`?asOf=${isoTime(site.now - 1)}`)).toEqual([true, true]);
    expect(await told(`?asOf=${before}`)).toEqual([false, false]);
    await site.client.request('PATCH', '/api/v3/settings', JSON.stringify({ sla: null }));
    site.pass(2_000);
    expect(await told()).toEqual([false, false]);
  });

  it('is a page to print for those who ask for HTML, with every text escaped', async () => {
    const answer = await pageOf(`${BOARD}?asOf=${before}`);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toMatch(/filename="board-report-2026-03-02\.html"/);
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    const page = await answer.text();
    expect(page).toContain('&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &quot;more&quot;');
    expect(page).not.toMatch(/<script|undefined|NaN|\[object/);
    expect(page).toContain('Acceptances that end soon: 1');
    expect(page).toMatch(/@media print/);
  });

  it('interrupts the line of the trend at a change of the model', async () => {
    const selected = async (scoringModel: string) => {
      site.pass(2 * DAY_MS);
      await site.signInAgain();
      const body = JSON.stringify({ scoringModel });
      expect((await site.client.request('PATCH', '/api/v3/settings', body)).status).toBe(200);
      const at = site.now;
      await site.score();
      site.pass(2 * DAY_MS);
      await site.signInAgain();
      return at;
    };
    const lines = (page: string) => page.match(/<polyline [^>]+>/g)!.length;
    expect(lines(await (await pageOf(BOARD)).text())).toBe(1);
    const at = await selected('posture-2');
    const told = await report();
    expect(told.modelChanges).toEqual([{ at: isoTime(at), model: 'posture-2' }]);
    const page = await (await pageOf(told.request)).text();
    expect(lines(page)).toBe(2);
    const time = isoTime(at).slice(0, 16).replace('T', ' ');
    expect(page).toContain(`The model changed from posture-1 to posture-2 on ${time} UTC.`);
    await selected('posture-1');
    expect(lines(await (await pageOf(BOARD)).text())).toBe(3);
  });

  it('says what moved the score since a removal of history within the period', async () => {
    const { at, from } = await report();
    const kept = isoTime(Date.parse(from) + 20 * 60_000);
    const { pool } = site.gateway.database;
    await pool.query(
      `insert into history_trims (partition, finding_type, kept_from, through_sequence, removed) values (0, 'va', $1, 0, 1)`,
      [kept],
    );
    try {
      const told = await report(`?asOf=${at}`);
      expect([told.from, told.movers.from.at]).toEqual([from, kept]);
      expect((await site.client.request('GET', `${BOARD}?asOf=${from}`)).status).toBe(410);
    } finally {
      await pool.query('delete from history_trims');
    }
  });

  it('says what moved the score since the tenth-last change of the rates, if there are more', async () => {
    const change = async (body: object) => {
      site.pass(1_000);
      expect((await site.client.request('PATCH', '/api/v3/settings', JSON.stringify(body))).status).toBe(200);
      return isoTime(site.now);
    };
    await change({ scoringModel: 'posture-2' });
    const changes: string[] = [];
    for (let n = 1; n <= 11; n++) {
      changes.push(await change({ baseRate: { low: 0.1, best: 0.3 + n / 100, high: 0.6 } }));
    }
    await site.score();
    site.pass(2_000);
    const told = await report();
    expect(told.movers.from.at).toBe(changes[0]);
    expect(told.movers.to.score).toBe(told.score.score);
    const since = changes[0]!.slice(0, 16).replace('T', ' ');
    expect(await (await pageOf(told.request)).text()).toContain(`What moved the score since ${since} UTC: `);
  });

  it('requires the scope of findings too', async () => {
    const { body } = await site.post('/api/v3/tokens', { name: 'scores', scopes: ['scores:read'] });
    const answer = await fetch(`${site.gateway.url}${BOARD}`, {
      headers: { authorization: `Bearer ${body.token}` },
    });
    expect(answer.status).toBe(403);
  });
});

describe('the technical report (R-REPORT)', () => {
  it('has findings with evidence, decision, acceptance and due date, and their assets', async () => {
    const told = await technical(`?asOf=${before}`);
    expect(told.totals).toMatchObject({ total: 4, state: { Failed: 2, AcceptedFailed: 2 } });
    expect(told.findings).toHaveLength(4);
    const [evil, lent] = [EVIL, 'lent'].map((name) => told.findings.find((one) => one.name === name)!);
    expect(evil).toMatchObject({
      state: 'Failed',
      due: expect.any(String),
      overdue: true,
      ssvc: { cve: 'CVE-2024-10001' },
      mappings: { cves: [{ id: 'CVE-2024-10001' }] },
      instances: [{ status: 'Failed' }],
      instanceCount: 1,
    });
    expect(lent!.accepted).toMatchObject({ rationale: 'known', until: expect.any(String) });
    expect(told.assets).toMatchObject([
      { name: 'web01', department: 'Sales', findings: 1, score: expect.any(Number) },
      { name: 'web02', department: 'Unassigned', findings: 3 },
    ]);
  });

  it('takes the filters of the list, and a limit', async () => {
    const sales = await technical(`?department=Sales&state=Failed,NotAssessed&asOf=${before}`);
    expect(sales.findings.map(({ name }) => name)).toEqual([EVIL]);
    expect(sales.request).toContain('department=Sales&state=Failed%2CNotAssessed&limit=100&asOf=');
    const first = await technical(`?limit=1&asOf=${before}`);
    expect([first.findings.length, first.assets.length, first.totals.total]).toEqual([1, 1, 4]);
    for (const query of [
      'limit=0',
      'limit=201',
      'ssvc=Act',
      'ransomware=true',
      'kev=true',
      'epssMin=0.1',
      'sort=name',
      'cursor=x',
    ]) {
      expect([query, (await site.client.request('GET', `${TECHNICAL}?${query}`)).status]).toEqual([
        query,
        400,
      ]);
    }
  });

  it.each([
    'settledAfter',
    'reopenedAfter',
    'failedAfter',
    'firstSeenAfter',
    'firstSeenBefore',
    'dueBefore',
    'acceptedUntilBefore',
  ])('says a request with %s that repeats it', async (parameter) => {
    const told = await technical(`?${parameter}=2026-01-01T00:00:00Z&asOf=${before}`);
    expect(told.request).toContain(`${parameter}=2026-01-01T00%3A00%3A00.000Z`);
    expect(await site.client.get(told.request)).toEqual(told);
  });

  it('has only the rows of a limited caller', async () => {
    const { body } = await site.post('/api/v3/tokens', {
      name: 'sales',
      scopes: ['findings:read', 'assets:read'],
      departments: ['Sales'],
    });
    const answer = await fetch(`${site.gateway.url}${TECHNICAL}?asOf=${before}`, {
      headers: { authorization: `Bearer ${body.token}` },
    });
    const told = (await answer.json()) as TechnicalReportDto;
    expect(told.totals.total).toBe(1);
    expect(told.assets.map(({ name }) => name)).toEqual(['web01']);
    expect(told.limits).toEqual({ departments: ['Sales'], locations: null });
    const all = await technical(`?asOf=${before}`);
    expect(all.limits).toEqual({ departments: null, locations: null });
  });

  it('is a page to print for those who ask for HTML, with every text escaped', async () => {
    const answer = await pageOf(`${TECHNICAL}?asOf=${before}&name=script`);
    expect(answer.headers.get('content-disposition')).toMatch(/filename="technical-report-2026-03-02\.html"/);
    const page = await answer.text();
    expect(page).toContain('<h3>&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &quot;more&quot;</h3>');
    expect(page).not.toMatch(/<script|undefined|NaN|\[object/);
    expect(page).toContain('<th scope="row">name</th><td>script</td>');
  });
});

describe('posture report --check of a report of the service', () => {
  let dir: string;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'posture-reports-'));
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));

  async function check(text: string, ...args: string[]) {
    const file = join(dir, 'report');
    await writeFile(file, text);
    const [POSTURE_USERNAME, POSTURE_PASSWORD] = site.gateway.credentialsOf('viewer').split(':');
    const env = { POSTURE_URL: site.gateway.url, POSTURE_USERNAME, POSTURE_PASSWORD };
    const terminal = recordingTerminal(env);
    const exitCode = await runPosture(['report', '--check', file, ...args], terminal);
    return { exitCode, out: terminal.out(), err: terminal.err() };
  }

  it.each([BOARD, TECHNICAL])('matches what was not changed: %s', async (path) => {
    const json = await site.client.get<{ request: string; at: string }>(path);
    const page = await (await pageOf(json.request)).text();
    for (const text of [JSON.stringify(json), JSON.stringify(json, null, 2), page]) {
      expect(await check(text)).toEqual({
        exitCode: 0,
        out: `matches    the service, as of ${json.at}\n`,
        err: '',
      });
    }
    expect(JSON.parse((await check(page, '--json')).out)).toEqual({ ok: true, matches: true, asOf: json.at });
  });

  it('names the first difference', async () => {
    const json = await site.client.get<TechnicalReportDto>(TECHNICAL);
    const page = await (await pageOf(json.request)).text();
    json.findings[1]!.severity.value = 1;
    expect(await check(JSON.stringify(json))).toMatchObject({
      exitCode: 1,
      out: '',
      err: expect.stringContaining('findings[1].severity.value: the report says 1, the service 9.8'),
    });
    expect(await check(page.replace('>web02<', '>web03<'))).toMatchObject({
      exitCode: 1,
      out: '',
      err: expect.stringMatching(/line \d+: character \d+: the report says ".*web03/),
    });
    expect(await check(`${page}more`)).toMatchObject({ exitCode: 1, out: '' });
  });

  it('finds a name that occurs twice, and a list that became an object', async () => {
    const told = await report();
    const altered = {
      [JSON.stringify(told).replace('"score":{', '"score":{"score":3.1},"score":{')]:
        'an object has a name twice',
      [JSON.stringify({ ...told, trend: { ...told.trend } })]: 'trend: the report says {"0":{',
    };
    for (const [text, difference] of Object.entries(altered)) {
      expect(await check(text)).toMatchObject({ exitCode: 1, err: expect.stringContaining(difference) });
    }
  });

  it('requests nothing but reports', async () => {
    for (const request of ['/api/v3/users?asOf=2026-03-02T08:00:00Z', BOARD, 'https://example.com/', 7]) {
      expect(await check(JSON.stringify({ request }))).toMatchObject({
        exitCode: 2,
        out: '',
        err: expect.stringContaining('the request that returns the report is invalid'),
      });
    }
    expect(await check('{}')).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('name the log file'),
    });
    for (const beginning of ['<!doctype html>\n<!-- posture-report /api/', '{\n  "request": "/api/']) {
      const large = beginning.padEnd(16 * 1024 * 1024 + 1, ' ');
      expect(await check(large)).toMatchObject({
        exitCode: 2,
        err: expect.stringContaining('has 16777217 bytes: a report of the service has at most 16777216'),
      });
    }
    const board = JSON.stringify(await report());
    expect(await check(board, 'a.posture-log')).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('is checked without a log file'),
    });
  });
});
