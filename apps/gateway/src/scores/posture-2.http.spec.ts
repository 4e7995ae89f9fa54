import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ScoredSite } from '../../../../test/fixtures/scores/scored-site.ts';

const BEGIN = Date.parse('2026-03-02T08:00:00.000Z');
const MINUTE_MS = 60_000;
const KEV = 'CVE-2021-44228';
const OTHER = 'CVE-2024-10001';

let site: ScoredSite;
/** Right before the switch. */
let beforeSwitch: number;
const instants: number[] = [];

beforeAll(async () => {
  site = await ScoredSite.start(BEGIN);
  await happen();
});
afterAll(() => site.stop());

async function change(settings: object): Promise<void> {
  const answer = await site.client.request('PATCH', '/api/v3/settings', JSON.stringify(settings));
  expect(answer.status).toBe(200);
  await site.score();
}

const later = () => instants.push(site.pass(MINUTE_MS), site.now);
const attributes = (department: string, more: object = {}) => ({ tags: { dept: [department] }, ...more });
const dept = (department: string, more: object = {}) =>
  attributes(department, more) as unknown as Record<string, string>;

/** Holes on three assets and a clean one; then posture-2, a detection, a control, and other incident rates. */
async function happen(): Promise<void> {
  await site.addSignals(
    { name: 'hole', host: 'web', cve: KEV, attributes: dept('IT', { criticality: 'critical' }) },
    { name: 'second', host: 'web', cve: OTHER, attributes: dept('IT') },
    { name: 'hole', host: 'mail', cve: KEV, attributes: dept('Sales') },
    { name: 'hole', host: 'db', cve: OTHER, attributes: dept('IT') },
    { name: 'clean', host: 'bare', cve: null, attributes: dept('Sales') },
  );
  later();
  beforeSwitch = site.pass();
  await change({ scoringModel: 'posture-2' });
  later();
  await site.addSignals(
    { name: 'beacon', host: 'db', type: 'edr', cve: null, technique: 'T1071', attributes: dept('IT') },
    { name: 'hardening', host: 'web', type: 'ca', cve: null, technique: 'T1190', status: 'pass' },
  );
  later();
  site.pass();
  await change({ baseRate: { low: 0.1, best: 0.3, high: 0.6 } });
  later();
  await site.accept(await site.findingId('second'));
  later();
}

/** As in lists. */
const withoutParts = (likelihood: Record<string, unknown> | null) => {
  if (!likelihood) return likelihood;
  const { forecast: _forecast, evidence: _evidence, ...whole } = likelihood;
  return whole;
};

const iso = (at: number) => new Date(at).toISOString();
const at = (path: string, instant: number) =>
  site.client.get(`${path}${path.includes('?') ? '&' : '?'}asOf=${iso(instant)}`);
const all = (path: string, instant: number) => site.client.all(`${path}?asOf=${iso(instant)}`);

describe('the scores of posture-2', () => {
  it('begin with the switch, and leave the earlier ones as they were', async () => {
    const before = await at('/api/v3/scores/organization', beforeSwitch);
    expect(before).toMatchObject({ model: 'posture-1', assets: 4, scoredAssets: 3 });
    expect(before).not.toHaveProperty('likelihood');
    const after = await at('/api/v3/scores/organization', beforeSwitch + 1);
    expect(after).toMatchObject({ model: 'posture-2', assets: 4, liveAssets: 4, scoredAssets: 3 });
    expect(after.score).not.toBe(before.score);
    const web = await site.assetId('web');
    const periods = await site.client.all(`/api/v3/assets/${web}/score/history`);
    expect([...new Set(periods.map(({ model }) => model))]).toEqual(['posture-2', 'posture-1']);
    const history = '/api/v3/scores/organization/history';
    const { items, modelChanges } = await site.client.get(
      `${history}?from=${iso(beforeSwitch)}&step=PT1S&to=${iso(beforeSwitch + 3_000)}`,
    );
    const untilSwitch = `from=${iso(beforeSwitch - 1_000)}&to=${iso(beforeSwitch + 1)}&step=hour`;
    expect((await site.client.get(`${history}?${untilSwitch}`)).modelChanges).toEqual(modelChanges);
    expect(modelChanges).toEqual([{ at: iso(beforeSwitch + 1), model: 'posture-2' }]);
    const sinceSwitch = await site.client.get(
      `${history}?from=${iso(beforeSwitch + 1)}&step=PT1S&department=Sales`,
    );
    expect(sinceSwitch.modelChanges).toEqual([]);
    expect(items.map(({ model }: { model: string }) => model)).toEqual([
      'posture-1',
      'posture-2',
      'posture-2',
      'posture-2',
    ]);
  });

  it('equal at every instant those computed from the findings of that time', async () => {
    const scores = new Set<number>();
    for (const instant of instants) {
      const ranked = await all('/api/v3/scores/assets', instant);
      expect(ranked).toHaveLength(4);
      for (const { assetId, score, breachLikelihood, likelihood, model } of ranked) {
        const computed = await at(`/api/v3/assets/${assetId}/score`, instant);
        expect({ score, breachLikelihood, likelihood, model }).toEqual({
          score: computed.score,
          breachLikelihood: computed.breachLikelihood,
          likelihood: withoutParts(computed.likelihood),
          model: computed.model,
        });
        const shares = computed.contributions.map(({ share }: { share: number }) => Math.round(share * 100));
        const whole = shares.reduce((sum: number, share: number) => sum + share, 0);
        expect(whole).toBe(Math.round((score ?? 0) * 100));
      }
      scores.add((await at('/api/v3/scores/organization', instant)).score);
    }
    expect(scores.size).toBe(5);
  });

  it('state the forecast and the evidence apart, with intervals', async () => {
    const organization = await site.client.get('/api/v3/scores/organization');
    const { likelihood, expectedCompromised } = organization;
    const { forecast, evidence } = likelihood;
    expect(organization.breachLikelihood).toBe(likelihood.best);
    for (const { low, best, high } of [likelihood, forecast, evidence]) {
      expect(low).toBeGreaterThan(0);
      expect(best).toBeGreaterThan(low);
      expect(high).toBeGreaterThan(best);
    }
    // An unreviewed detection of command and control: 0.15 × 0.7.
    expect(evidence.best).toBe(0.105);
    expect(likelihood.best).toBeGreaterThan(evidence.best);
    expect(expectedCompromised.best).toBeGreaterThanOrEqual(likelihood.best);
    const assets = await site.client.all('/api/v3/scores/assets');
    const sum = assets.reduce((total, one) => total + Math.round((one.likelihood?.best ?? 0) * 1e9), 0);
    expect(Math.round(expectedCompromised.best * 1e9)).toBe(sum);
    expect(assets.find(({ name }) => name === 'bare')).toMatchObject({
      score: null,
      breachLikelihood: null,
      likelihood: null,
      model: 'posture-2',
    });
  });

  it('of groups are now those of the last instant, in the order of the score', async () => {
    for (const list of ['departments', 'locations', 'asset-types', 'attack-surfaces']) {
      const now = await site.client.all(`/api/v3/scores/${list}`);
      const then = await all(`/api/v3/scores/${list}`, site.now);
      const bare = (groups: Record<string, unknown>[]) => groups.map(({ at: _, ...group }) => group);
      expect(bare(now)).toEqual(bare(then));
      expect(now.map(({ score }) => score)).toEqual(now.map(({ score }) => score).sort((a, b) => b - a));
    }
    const [{ items }, organization] = [
      await site.client.get('/api/v3/scores/departments'),
      await site.client.get('/api/v3/scores/organization'),
    ];
    const compromised = items.map((one: typeof organization) => one.expectedCompromised.best);
    const sum = compromised.reduce((total: number, one: number) => total + one, 0);
    expect(sum).toBeCloseTo(organization.expectedCompromised.best, 12);
  });
});

describe('what moved scores of posture-2', () => {
  type Told = {
    from: { at: string; score: number | null; model: string };
    to: { at: string; score: number | null; model: string };
    difference: number;
    causes: { kind: string; id: string; name: string | null; what: string; at?: string; share: number }[];
    others: { causes: number; share: number };
  };
  const explained = (path: string, from: number, to: number): Promise<Told> =>
    site.client.get(`${path}${path.includes('?') ? '&' : '?'}from=${iso(from)}&to=${iso(to)}`);
  const ORGANIZATION = '/api/v3/scores/organization/explain';
  const expectAddsUp = ({ causes, others, from, to, difference }: Told) => {
    const sum = [...causes, others].reduce((total, { share }) => total + Math.round(share * 100), 0);
    expect(sum).toBe(Math.round(difference * 100));
    expect(sum).toBe(Math.round((to.score ?? 0) * 100) - Math.round((from.score ?? 0) * 100));
  };

  it('adds up between any two instants, of the organization, a group and an asset, as those scores are', async () => {
    const web = await site.assetId('web');
    for (const [i, from] of instants.entries()) {
      for (const to of instants.slice(i + 1)) {
        const told = await explained(ORGANIZATION, from, to);
        expectAddsUp(told);
        for (const side of [told.from, told.to]) {
          const { score, model } = await at('/api/v3/scores/organization', Date.parse(side.at));
          expect([side.score, side.model]).toEqual([score, model]);
        }
        const sales = await explained(`${ORGANIZATION}?department=Sales`, from, to);
        expectAddsUp(sales);
        const { items } = await at('/api/v3/scores/departments', to);
        expect(sales.to.score).toBe(items.find(({ name }: { name: string }) => name === 'Sales').score);
        const own = await explained(`/api/v3/assets/${web}/score/explain`, from, to);
        expectAddsUp(own);
        expect(own.to.score).toBe((await at(`/api/v3/assets/${web}/score`, to)).score);
      }
    }
  });

  it('names the switch of the model and of the rates, with their times, and nothing else at these instants', async () => {
    const [begin] = instants as [number];
    const switched = await explained(ORGANIZATION, begin, beforeSwitch + 1);
    expect(switched).toMatchObject({ from: { model: 'posture-1' }, to: { model: 'posture-2' } });
    expect(switched.causes).toEqual([
      {
        kind: 'setting',
        id: 'scoringModel',
        assetId: null,
        assetName: null,
        name: null,
        what: 'posture-1 → posture-2',
        at: iso(beforeSwitch + 1),
        share: switched.difference,
      },
    ]);
    const rated = await explained(ORGANIZATION, instants[5]!, instants[7]!);
    expect(rated.causes).toMatchObject([
      { kind: 'setting', id: 'baseRate', what: '0.0148, 0.093, 0.25 → 0.1, 0.3, 0.6' },
    ]);
    expect(rated.difference).toBeGreaterThan(0);
  });

  it('names a control for the hazards of others, and a detection', async () => {
    const web = await site.assetId('web');
    const { causes } = await explained(`/api/v3/assets/${web}/score/explain`, instants[3]!, instants[5]!);
    expect(causes).toEqual([
      {
        kind: 'control',
        id: await site.findingId('hardening'),
        assetId: web,
        assetName: 'web',
        name: 'hardening',
        what: 'neither passes nor fails → passes',
        share: expect.any(Number),
      },
    ]);
    expect(causes[0]!.share).toBeLessThan(0);
    const told = await explained(ORGANIZATION, instants[3]!, instants[5]!);
    expect(told.causes.map(({ kind, name }) => [kind, name])).toContainEqual(['finding', 'beacon']);
  });

  it('explains a period that begins in posture-1 and ends in posture-2', async () => {
    const told = await explained(ORGANIZATION, BEGIN, site.now);
    expect(told).toMatchObject({ from: { score: null, model: 'posture-1' }, to: { model: 'posture-2' } });
    const kinds = told.causes.map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['asset', 'acceptance', 'control', 'finding', 'setting']));
    expect(told.causes.filter(({ kind }) => kind === 'setting')).toHaveLength(2);
    expectAddsUp(told);
    const short: Told = await site.client.get(`${ORGANIZATION}?from=${iso(BEGIN)}&limit=1`);
    expect(short.causes).toEqual(told.causes.slice(0, 1));
    expectAddsUp(short);
  });
});

describe('what-if by posture-2', () => {
  it('is what then happens, and no fix raises a score', async () => {
    const fixes = await site.client.get('/api/v3/scores/fixes');
    expect(fixes).toMatchObject({ model: 'posture-2', findings: expect.arrayContaining([]) });
    expect(fixes.findings.map(({ name }: { name: string }) => name)).toContain('hole');
    const before = await site.client.get('/api/v3/scores/organization');
    expect(fixes.score).toBe(before.score);
    const [best] = fixes.findings;
    const { body: tried } = await site.post('/api/v3/scores/what-if', { fixed: [best.id] });
    expect(tried.model).toBe('posture-2');
    expect(tried.organization).toMatchObject({
      score: before.score,
      scoreAfter: best.scoreAfter,
      breachLikelihood: before.breachLikelihood,
      likelihood: before.likelihood,
      expectedCompromised: before.expectedCompromised,
    });
    const fixed = { name: best.name, host: best.assetName, status: 'pass' as const };
    await site.addSignals(
      best.name === 'beacon' ? { ...fixed, type: 'edr', cve: null, technique: 'T1071' } : fixed,
    );
    const after = await site.client.get('/api/v3/scores/organization');
    expect(after).toMatchObject({
      score: tried.organization.scoreAfter,
      likelihood: tried.organization.likelihoodAfter,
      expectedCompromised: tried.organization.expectedCompromisedAfter,
    });
    expect(after.score).toBeLessThan(before.score);
    expect(after.likelihood.high).toBeLessThanOrEqual(before.likelihood.high);
  });
});

describe('a period with many changes of the model', () => {
  it('is explained with up to 10, and rejected with more', async () => {
    const from = site.pass();
    const rated = async (n: number) => {
      site.pass();
      await change({ baseRate: { low: 0.1, best: 0.3 + n / 100, high: 0.6 } });
    };
    for (let n = 1; n <= 10; n++) await rated(n);
    const path = `/api/v3/scores/organization/explain?from=${iso(from)}`;
    const { causes, difference } = await site.client.get(path);
    expect(causes.map(({ id }: { id: string }) => id)).toEqual(Array(10).fill('baseRate'));
    const sum = causes.reduce(
      (total: number, { share }: { share: number }) => total + Math.round(share * 100),
      0,
    );
    expect(sum).toBe(Math.round(difference * 100));
    await rated(11);
    expect(await site.client.request('GET', path)).toMatchObject({
      status: 400,
      body: {
        message: expect.stringMatching(/changed 11 times from .*: send a period with at most 10 changes/),
      },
    });
  });
});
