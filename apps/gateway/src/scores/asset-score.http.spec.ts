import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiClient, plainSignal, zipOf } from '../../../../test/support/api-client.ts';
import { DAY_MS } from '../../../../test/support/scenario.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';
const MONDAY = Date.parse('2026-03-02T08:00:00.000Z');

let now = MONDAY;
let gateway: StartedGateway;
let client: ApiClient;

beforeAll(async () => {
  gateway = await StartedGateway.start({ folds: true, clock: () => now });
  client = await gateway.client('admin');
});
afterAll(() => gateway.stop());

const context = (cve: string | null, status = 'fail') => ({
  securityContext: {
    type: 'va',
    status: { complianceStatus: status },
    severity: { type: 'cvss', value: 9.8 },
    ...(cve && { standardsMapping: [{ name: 'cve', value: cve }] }),
  },
});

async function upload(...signals: object[]): Promise<void> {
  now += 1;
  const { body } = await client.zip(
    await zipOf(Object.fromEntries(signals.map((one, i) => [`${i}.json`, one]))),
  );
  await client.folded(body.uploadId);
}

/** As an import leaves it, from now on. */
async function inForce(catalogue: 'cve' | 'epss' | 'kev', cve: string, value: object): Promise<void> {
  const from = new Date(now).toISOString();
  await gateway.database.db
    .insertInto('catalogue_imports')
    .values({
      id: randomUUID(),
      catalogue,
      source: 'file',
      started_at: from,
      valid_from: from,
      content_hash: `${catalogue.padEnd(11, '0')}a and more`,
    })
    .execute();
  const row = { catalogue, cve, value: JSON.stringify(value), valid_from: from };
  await gateway.database.db.insertInto('catalogue_rows').values(row).execute();
}

const assetOf = async (name: string) => (await client.all(`/api/v3/assets?name=${name}`))[0];
const scoreOf = async (name: string, asOf = '') =>
  client.get(`/api/v3/assets/${(await assetOf(name)).id}/score${asOf && `?asOf=${asOf}`}`);

describe('GET /api/v3/assets/:id/score', () => {
  it('explains itself: shares add up to the score, each with its reason', async () => {
    await upload(
      plainSignal('one', 'scored', context('CVE-2021-44228')),
      plainSignal('two', 'scored', context('CVE-2024-3094')),
      plainSignal('same as two', 'scored', context('CVE-2024-3094')),
      plainSignal('without a mapping', 'scored', context(null)),
      plainSignal('passed', 'scored', context('CVE-2020-0001', 'pass')),
    );
    const scored = await scoreOf('scored');
    expect(scored).toMatchObject({ model: 'posture-1', catalogue: 'attack', malformedVectors: 0 });
    expect(scored.at).toBe(new Date(now).toISOString());
    // Two CVEs of the table's highest row on an asset without a rating (docs/scoring.md).
    expect(scored.breachLikelihood).toBeCloseTo(1 - 0.91 ** 2, 6);
    expect(scored.score).toBeCloseTo(100 * 0.7 * (1 - 0.91 ** 2), 2);
    expect(scored.contributions.map(({ name }: { name: string }) => name).sort()).toEqual([
      'one',
      'same as two',
      'two',
    ]);
    const shares = scored.contributions.map(({ share }: { share: number }) => share);
    expect(shares.reduce((sum: number, share: number) => sum + share, 0)).toBeCloseTo(scored.score, 9);
    for (const { why, probability } of scored.contributions) {
      expect(why).not.toBe('');
      expect(probability).toBeCloseTo(0.09, 6);
    }
  });

  it('is null, never 0, if no finding carries a valid mapping, and 0 if those findings are accepted (R-SCORE-2)', async () => {
    await upload(plainSignal('nothing', 'bare', context(null)));
    expect(await scoreOf('bare')).toMatchObject({ score: null, breachLikelihood: null, contributions: [] });
    await upload(plainSignal('known', 'accepted', context('CVE-2021-44228')));
    const [{ id }] = await client.all('/api/v3/findings?name=known');
    await client.request('POST', `/api/v3/findings/${id}/accept`, '{"rationale":"x"}');
    expect(await scoreOf('accepted')).toMatchObject({ score: 0, contributions: [] });
  });

  it('at an instant is the state of that time, including expiry', async () => {
    await upload(
      plainSignal('early', 'dated', { ...context('CVE-2021-44228'), expiresAt: '2026-03-05T00:00:00Z' }),
    );
    const then = new Date(now).toISOString();
    const before = await scoreOf('dated');
    now += DAY_MS;
    client = await gateway.client('admin');
    await upload(plainSignal('late', 'dated', context('CVE-2024-3094')));
    expect((await scoreOf('dated')).score).toBeGreaterThan(before.score);
    expect(await scoreOf('dated', then)).toEqual(before);
    now += 7 * DAY_MS;
    client = await gateway.client('admin');
    const after = await scoreOf('dated');
    expect(after.contributions).toMatchObject([{ name: 'late' }]);
    expect(after.score).toBe(before.score);
  });

  it('has the catalogues of then: states of CVEs, EPSS and KEV, each from its import on (R-CAT-2)', async () => {
    await upload(
      plainSignal('forecast', 'catalogued', context('CVE-2024-20001')),
      plainSignal('exploited', 'catalogued', context('CVE-2024-20002')),
      plainSignal('rejected', 'catalogued', context('CVE-2024-20003')),
    );
    const before = await scoreOf('catalogued');
    expect(before).toMatchObject({ catalogue: 'attack', breachLikelihood: 0.246429 });
    now += DAY_MS;
    client = await gateway.client('admin');
    await inForce('epss', 'CVE-2024-20001', { probability: 0.2, date: '2026-03-01' });
    await inForce('kev', 'CVE-2024-20002', { dateAdded: '2026-03-01' });
    await inForce('cve', 'CVE-2024-20003', { state: 'REJECTED' });
    const after = await scoreOf('catalogued');
    expect(after.catalogue).toBe('attack cve:cve00000000a epss:epss0000000a kev:kev00000000a');
    expect(after.contributions).toMatchObject([
      { name: 'exploited', probability: 0.9 },
      { name: 'forecast', probability: 0.2 },
    ]);
    expect(after.breachLikelihood).toBeCloseTo(1 - 0.1 * 0.8, 6);
    const imported = now;
    now += DAY_MS;
    client = await gateway.client('admin');
    expect(await scoreOf('catalogued', before.at)).toEqual(before);
    expect(await scoreOf('catalogued', new Date(imported - 1).toISOString())).toMatchObject({
      score: before.score,
      catalogue: 'attack',
    });
    expect(await scoreOf('catalogued', after.at)).toEqual(after);
    expect(await scoreOf('catalogued')).toEqual({ ...after, at: new Date(now).toISOString() });
  });

  it('lists contributions in pages, each with the whole score, by both models', async () => {
    const many = Array.from({ length: 1_201 }, (_, i) =>
      plainSignal(`many ${i}`, 'many', context(`CVE-2021-${10_000 + i}`)),
    );
    await upload(...many);
    expect(await scoreOf('many', new Date(now - 1).toISOString()).catch(String)).toMatch(/404/);
    const path = `/api/v3/assets/${(await assetOf('many')).id}/score`;
    for (const scoringModel of ['posture-1', 'posture-2']) {
      now += 1;
      await client.request('PATCH', '/api/v3/settings', JSON.stringify({ scoringModel }));
      const { contributions: first, nextCursor: _, ...whole } = await client.get(path);
      expect(whole).toMatchObject({ model: scoringModel, contributionCount: 1_201 });
      expect(first).toHaveLength(500);
      const all = [];
      for (let cursor = ''; ; ) {
        const { contributions, nextCursor, ...summary } = await client.get(`${path}?limit=400${cursor}`);
        expect(summary).toEqual(whole);
        all.push(...contributions);
        if (nextCursor === null) break;
        cursor = `&cursor=${nextCursor}`;
      }
      expect(all.slice(0, 500)).toEqual(first);
      expect(new Set(all.map(({ findingId }) => findingId)).size).toBe(1_201);
      const shares = all.map(({ share }) => share);
      expect(shares).toEqual(shares.toSorted((a, b) => b - a));
      expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(whole.score, 6);
    }
  }, 60_000);

  it('is a 404 for an unknown asset, and a 400 for an invalid id or instant', async () => {
    const status = async (path: string) => (await client.request('GET', path)).status;
    expect(await status(`/api/v3/assets/${NOBODY}/score`)).toBe(404);
    expect(await status('/api/v3/assets/x/score')).toBe(400);
    expect(await status(`/api/v3/assets/${NOBODY}/score?asOf=yesterday`)).toBe(400);
    expect(await status(`/api/v3/assets/${NOBODY}/score?at=now`)).toBe(400);
    expect(await status(`/api/v3/assets/${NOBODY}/score?limit=501`)).toBe(400);
    expect(await status(`/api/v3/assets/${NOBODY}/score?cursor=x`)).toBe(400);
  });
});
