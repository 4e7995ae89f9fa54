import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ScoredSite } from '../../../../test/fixtures/scores/scored-site.ts';
import type { AssetIfDto } from './what-if.dto.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';
const MONDAY = Date.parse('2026-03-02T08:00:00.000Z');
const SHARED = 'CVE-2024-20001';

let site: ScoredSite;

beforeAll(async () => {
  site = await ScoredSite.start(MONDAY);
  await site.addSignals(
    { name: 'kernel', host: 'web01', cve: SHARED },
    { name: 'cipher', host: 'web01', cve: 'CVE-2024-20002' },
    { name: 'kernel too', host: 'web02', cve: SHARED },
    { name: 'shell', host: 'web02', cve: 'CVE-2024-20003', severity: 5 },
    { name: 'editor', host: 'db01', cve: 'CVE-2024-20004' },
    { name: 'fine', host: 'db01', cve: 'CVE-2024-20005', status: 'pass' },
    { name: 'unmapped', host: 'bare01', cve: null },
  );
});
afterAll(() => site.stop());

const ask = (body: unknown) => site.post('/api/v3/scores/what-if', body);
const outcome = async (body: unknown) => {
  const answer = await ask(body);
  expect(answer.status).toBe(200);
  return answer.body;
};
const organization = () => site.client.get('/api/v3/scores/organization');
const scoreOf = async (name: string) =>
  (await site.client.get(`/api/v3/assets/${await site.assetId(name)}/score`)).score;

describe('POST /api/v3/scores/what-if', () => {
  it('predicts the effect of an acceptance', async () => {
    const accepted = [await site.findingId('cipher'), await site.findingId('editor')];
    const before = await organization();
    const told = await outcome({ accepted });
    expect(told).toMatchObject({
      organization: { score: before.score, breachLikelihood: before.breachLikelihood },
      otherAssets: 0,
      at: new Date(site.now).toISOString(),
      model: 'posture-1',
    });
    // The greatest fall first.
    expect(told.assets).toEqual([
      { assetId: await site.assetId('db01'), name: 'db01', score: await scoreOf('db01'), scoreAfter: 0 },
      {
        assetId: await site.assetId('web01'),
        name: 'web01',
        score: await scoreOf('web01'),
        scoreAfter: expect.any(Number),
      },
    ]);
    expect(await organization()).toEqual(before);

    for (const id of accepted) await site.accept(id);
    const after = await organization();
    expect(after.score).toBe(told.organization.scoreAfter);
    expect(after.breachLikelihood).toBe(told.organization.breachLikelihoodAfter);
    expect(after.score).toBeLessThan(before.score);
    for (const { name, scoreAfter } of told.assets) expect(await scoreOf(name)).toBe(scoreAfter);
  });

  it('predicts the effect of fixing a CVE everywhere', async () => {
    const told = await outcome({ fixedCves: [SHARED.toLowerCase()] });
    expect(told.assets.map(({ name }: { name: string }) => name).sort()).toEqual(['web01', 'web02']);
    await site.addSignals(
      { name: 'kernel', host: 'web01', cve: SHARED, status: 'pass' },
      { name: 'kernel too', host: 'web02', cve: SHARED, status: 'pass' },
    );
    expect(await organization()).toMatchObject({
      score: told.organization.scoreAfter,
      breachLikelihood: told.organization.breachLikelihoodAfter,
    });
    for (const { name, scoreAfter } of told.assets) expect(await scoreOf(name)).toBe(scoreAfter);
  });

  it('changes only Failed findings, and names the asset anyway', async () => {
    const { organization: same, assets } = await outcome({
      fixed: [(await site.findingId('fine')).toUpperCase(), await site.findingId('unmapped')],
    });
    expect([same.scoreAfter, same.breachLikelihoodAfter]).toEqual([same.score, same.breachLikelihood]);
    expect(assets.map(({ name, score, scoreAfter }: AssetIfDto) => [name, score === scoreAfter])).toEqual(
      expect.arrayContaining([
        ['db01', true],
        ['bare01', true],
      ]),
    );
    expect(assets.find(({ name }: { name: string }) => name === 'bare01').score).toBeNull();
  });

  it('names a hundred assets, counts the others, and is about all of them', async () => {
    const hosts = Array.from({ length: 103 }, (_, i) => ({
      name: `many ${i}`,
      host: `many${i}`,
      cve: 'CVE-2024-20100',
    }));
    await site.addSignals(...hosts);
    const told = await outcome({ fixedCves: ['CVE-2024-20100', 'CVE-2024-20003'] });
    expect(told.assets).toHaveLength(100);
    expect(told.otherAssets).toBe(4);
    expect(told.assets[0].scoreAfter).toBe(0);
    expect(told.organization).toMatchObject({ scoreAfter: 0, breachLikelihoodAfter: 0 });
  });

  it('is empty for CVEs that no finding has', async () => {
    const { score } = await organization();
    expect(await outcome({ fixedCves: ['CVE-1999-0001'] })).toMatchObject({
      organization: { score, scoreAfter: score },
      assets: [],
      otherAssets: 0,
    });
  });

  it('is a 404 that names unknown findings', async () => {
    const answer = await ask({ fixed: [await site.findingId('fine'), NOBODY] });
    expect(answer).toMatchObject({ status: 404, body: { message: `no finding has the id ${NOBODY}` } });
    const many = Array.from({ length: 13 }, (_, i) => NOBODY.replace(/..$/, String(10 + i)));
    expect((await ask({ accepted: many })).body.message).toMatch(/, and 3 more$/);
  });

  it.each([
    ['nothing to try', {}, /at least one/],
    ['empty lists', { fixed: [], accepted: [], fixedCves: [] }, /at least one/],
    ['an id that is none', { fixed: ['x'] }, /fixed must be a UUID/],
    ['no list', { accepted: NOBODY }, /accepted must be an array/],
    ['null', { fixed: null }, /fixed must be an array/],
    ['a CVE that is none', { fixedCves: ['log4j'] }, /fixedCves must be a CVE id/],
    ['a number', { fixedCves: [7] }, /fixedCves must be a CVE id/],
    ['too many findings', { fixed: Array(1_001).fill(NOBODY) }, /1000/],
    ['too many CVEs', { fixedCves: Array(101).fill('CVE-2024-20001') }, /100/],
    ['an unknown field', { fixed: [NOBODY], until: 1 }, /until is unknown/],
    ['an array', [], /./],
  ])('rejects %s', async (_, body, message) => {
    const answer = await ask(body);
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringMatching(message) } });
  });

  it('is for viewers, too', async () => {
    const viewer = await site.gateway.client('viewer');
    const body = JSON.stringify({ fixedCves: [SHARED] });
    expect((await viewer.request('POST', '/api/v3/scores/what-if', body)).status).toBe(200);
  });
});
