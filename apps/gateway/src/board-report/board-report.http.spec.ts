import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isoTime } from '#libs/domain';
import { ScoredSite } from '../../../../test/fixtures/scores/scored-site.ts';
import type { BoardReportDto } from './board-report.dto.ts';

const MONDAY = Date.parse('2026-03-02T08:00:00.000Z');
const DAY_MS = 86_400_000;
const PATH = '/api/v3/reports/board';
const EVIL = `<script>alert('x')</script> & "more"`;

let site: ScoredSite;
/** After the first findings. */
let before: string;

const act = async (name: string, what: string, body: object) => {
  const { status } = await site.post(`/api/v3/findings/${await site.findingId(name)}/${what}`, body);
  expect(status).toBe(200);
};
const report = (query = '') => site.client.get<BoardReportDto>(`${PATH}${query}`);

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
    expect(told.score).toEqual(await site.client.get('/api/v3/scores/organization'));
    expect([told.at, told.from]).toEqual([isoTime(site.now), isoTime(site.now - 30 * DAY_MS)]);
    expect(told.trend.at(-1)!.score).toBe(told.score.score);
    expect(told.movers.difference).toBe(told.score.score);
    expect(told.movers.causes.map(({ kind, assetName }) => `${kind} ${assetName}`).sort()).toEqual([
      'asset web01',
      'asset web02',
    ]);
    expect(told.fixes!.findings.map(({ name }) => name).sort()).toEqual([EVIL, 'cipher']);
    expect(told.overdue).toMatchObject({ total: 1, findings: [{ name: EVIL }] });
    expect(told.endingAcceptances).toMatchObject({ total: 1, findings: [{ name: 'lent' }] });
    expect(told.groups.departments.map(({ name }) => name).sort()).toEqual(['Sales', 'Unassigned']);
    expect(told.groups.assetTypes).toMatchObject([{ name: 'Other', assets: 2 }]);
  });

  it('is the same as of an instant, whatever happens later', async () => {
    const first = await report(`?asOf=${before}`);
    expect(first).toMatchObject({ at: before, fixes: null });
    expect(first.overdue).toMatchObject({ total: 1, findings: [{ name: EVIL }] });
    expect(first.endingAcceptances).toMatchObject({ total: 1, findings: [{ name: 'lent' }] });
    await site.addSignals({ name: EVIL, host: 'web01', cve: 'CVE-2024-10001', status: 'pass' });
    await act('lent', 'revert', { to: 'Failed' });
    await site.score();
    expect(await report(`?asOf=${before}`)).toEqual(first);
    expect(await report()).toMatchObject({ overdue: { total: 0 }, endingAcceptances: { total: 0 } });
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

  it('is a page to print for those who ask for HTML, with every text escaped', async () => {
    const { authorization } = site.client;
    const answer = await fetch(`${site.gateway.url}${PATH}?asOf=${before}`, {
      headers: { authorization, accept: 'text/html,application/xhtml+xml' },
    });
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toMatch(/filename="board-report-2026-03-02\.html"/);
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    const page = await answer.text();
    expect(page).toContain('&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &quot;more&quot;');
    expect(page).not.toMatch(/<script|undefined|NaN|\[object/);
    expect(page).toContain('Acceptances that end soon: 1');
    expect(page).toMatch(/@media print/);
  });

  it('requires the scope of findings too', async () => {
    const { body } = await site.post('/api/v3/tokens', { name: 'scores', scopes: ['scores:read'] });
    const answer = await fetch(`${site.gateway.url}${PATH}`, {
      headers: { authorization: `Bearer ${body.token}` },
    });
    expect(answer.status).toBe(403);
  });
});
