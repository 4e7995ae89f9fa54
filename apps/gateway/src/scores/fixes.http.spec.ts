import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ScoredSite } from '../../../../test/fixtures/scores/scored-site.ts';
import type { BestFixesDto, FixDto } from './fixes.dto.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';
const MONDAY = Date.parse('2026-03-02T08:00:00.000Z');

let site: ScoredSite;

beforeAll(async () => {
  site = await ScoredSite.start(MONDAY);
  const sales = { department: 'Sales', criticality: 'high' };
  const it = { department: 'IT', criticality: 'low' };
  await site.addSignals(
    { name: 'kernel', host: 'web01', cve: 'CVE-2024-30001', attributes: sales },
    { name: 'cipher', host: 'web01', cve: 'CVE-2024-30002', severity: 5, attributes: sales },
    { name: 'cipher again', host: 'web01', cve: 'CVE-2024-30002', severity: 8, attributes: sales },
    { name: 'shell', host: 'web02', cve: 'CVE-2024-30003', attributes: it },
    { name: 'editor', host: 'web02', cve: 'CVE-2024-30002', attributes: it },
    { name: 'mail', host: 'mail01', cve: 'CVE-2024-30004', attributes: it },
    { name: 'accepted', host: 'mail01', cve: 'CVE-2024-30005', attributes: it },
    { name: 'fine', host: 'calm01', cve: 'CVE-2024-30001', status: 'pass', attributes: it },
    { name: 'unmapped', host: 'bare01', cve: null, attributes: sales },
  );
  await site.forecast('CVE-2024-30003', 0.7);
  await site.accept(await site.findingId('accepted'));
});
afterAll(() => site.stop());

const fixes = (query = '') => site.client.get<BestFixesDto>(`/api/v3/scores/fixes?${query}`);
const names = (found: FixDto[]) => found.map(({ name, id }) => name ?? id);

/** What-if asked of every single candidate: the scores after, the least first. */
async function bruteForce(
  candidates: string[],
  bodyOf: (id: string) => object,
): Promise<Map<string, number>> {
  const after = new Map<string, number>();
  for (const id of candidates) {
    const { body } = await site.post('/api/v3/scores/what-if', bodyOf(id));
    after.set(id, body.organization.scoreAfter);
  }
  return after;
}

describe('GET /api/v3/scores/fixes', () => {
  it('returns the same scores as what-if for each fix', async () => {
    const found = await fixes();
    const { score } = await site.client.get('/api/v3/scores/organization');
    expect(found).toMatchObject({ score, model: 'posture-1', at: new Date(site.now).toISOString() });
    const findings = await site.client.all('/api/v3/findings');
    const byFinding = await bruteForce(
      findings.map(({ id }) => id),
      (id) => ({ fixed: [id] }),
    );
    const byCve = await bruteForce([...new Set(findings.flatMap(({ cves }) => cves))], (cve) => ({
      fixedCves: [cve],
    }));
    for (const [list, tried] of [
      [found.findings, byFinding],
      [found.cves, byCve],
    ] as const) {
      expect(list[0]!.scoreAfter).toBe(Math.min(...tried.values()));
      for (const { id, scoreAfter } of list) expect(scoreAfter).toBe(tried.get(id));
      const lowering = [...tried.values()].filter((after) => after < score!).sort((a, b) => a - b);
      const told = list.map(({ scoreAfter }) => scoreAfter).filter((after) => after < score!);
      expect(told).toEqual(lowering);
    }
  });

  it('state their subject, and list no fix without effect', async () => {
    const { score, findings, cves } = await fixes();
    expect(findings[0]).toMatchObject({
      kind: 'finding',
      id: await site.findingId('shell'),
      assetId: await site.assetId('web02'),
      assetName: 'web02',
      assets: 1,
    });
    for (const { scoreAfter, lowersBy } of [...findings, ...cves]) {
      expect(Math.round((score! - scoreAfter) * 100)).toBe(Math.round(lowersBy * 100));
    }
    expect(cves.find(({ id }) => id === 'CVE-2024-30002')).toMatchObject({
      kind: 'cve',
      assetId: null,
      assetName: null,
      name: null,
      assets: 2,
    });
    for (const name of ['cipher', 'accepted', 'fine', 'unmapped'])
      expect(names(findings)).not.toContain(name);
  });

  it('are of an asset', async () => {
    const id = await site.assetId('web01');
    const found = await fixes(`assetId=${id}`);
    expect(found.score).toBe((await site.client.get(`/api/v3/assets/${id}/score`)).score);
    expect(names(found.findings)).toEqual(['kernel', 'cipher again']);
    const unscored = await fixes(`assetId=${await site.assetId('bare01')}`);
    expect(unscored).toMatchObject({ score: null, findings: [], cves: [] });
  });

  it('are of a group, whose assets without anything to fix count', async () => {
    const it = await fixes('department=IT');
    const [group] = (await site.client.all('/api/v3/scores/departments')).filter(({ name }) => name === 'IT');
    expect(it.score).toBe(group.score);
    expect(names(it.findings).sort()).toEqual(['editor', 'mail', 'shell']);
    expect(names((await fixes('type=Nothing')).findings)).toEqual([]);
    expect((await fixes('type=Nothing')).score).toBeNull();
  });

  it('are as many as requested', async () => {
    const all = await fixes();
    const two = await fixes('limit=2');
    expect(two).toEqual({ ...all, findings: all.findings.slice(0, 2), cves: all.cves.slice(0, 2) });
  });

  it('include changes that are not scored yet', async () => {
    const calm = {
      name: 'fine',
      host: 'calm01',
      cve: 'CVE-2024-30001',
      attributes: { criticality: 'critical' },
    };
    await site.fold(calm, { name: 'new', host: 'new01', cve: 'CVE-2024-30001' });
    const found = await fixes();
    expect(names(found.findings)).toEqual(expect.arrayContaining(['fine', 'new']));
    await site.score();
    expect(await fixes()).toEqual(found);
  });

  it.each([
    ['an asset and a group', `assetId=${NOBODY}&type=Server`, 400, /cannot be combined with type/],
    ['two groups', 'location=a&type=Server', 400, /cannot be combined/],
    ['an id that is none', 'assetId=x', 400, /assetId must be a UUID/],
    ['an unknown asset', `assetId=${NOBODY}`, 404, /no live asset has the id/],
    ['too many', 'limit=11', 400, /limit/],
    ['none', 'limit=0', 400, /limit/],
    ['an unknown parameter', 'from=2026-03-01T00:00:00Z', 400, /from/],
  ])('rejects %s', async (_, query, status, message) => {
    const answer = await site.client.request('GET', `/api/v3/scores/fixes?${query}`);
    expect(answer).toMatchObject({ status, body: { message: expect.stringMatching(message) } });
  });

  it.each([
    ['the organization', async () => ''],
    ['an asset', async () => `?assetId=${await site.assetId('web01')}`],
  ])('of %s are rejected with Retry-After if many requests wait already', async (_, query) => {
    const path = `/api/v3/scores/fixes${await query()}`;
    const answers = await Promise.all(Array.from({ length: 24 }, () => site.client.request('GET', path)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    expect(refused.length).toBeGreaterThan(0);
    for (const { headers, body } of refused) {
      expect([headers.get('retry-after'), body.message]).toEqual(['5', '5']);
    }
    expect((await site.client.request('GET', path)).status).toBe(200);
  });
});
