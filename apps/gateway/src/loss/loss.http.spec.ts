import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bringPendingIntoForce } from '#libs/catalogue-store';
import { posture2 } from '#libs/domain';
import { replaySite } from '#libs/replay';
import { ScoredSite } from '../../../../test/fixtures/scores/scored-site.ts';
import type { ApiClient } from '../../../../test/support/api-client.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { lossRows } from '../organization/loss-rows.ts';
import type { LossDto, LossFixesDto } from './loss.dto.ts';

const BEGIN = Date.parse('2026-03-02T08:00:00.000Z');
const HOLE = 'CVE-2021-44228';
const OTHER = 'CVE-2024-10001';
const RANGES = {
  currency: 'EUR',
  byCriticality: {
    critical: { min: 50_000, max: 2_000_000 },
    medium: { min: 1_000, max: 20_000 },
  },
  byDepartment: [{ department: 'it', byCriticality: { medium: { min: 3_000, max: 90_000 } } }],
};
const ROWS = lossRows(RANGES);
const IN_DOLLARS = ROWS.map((row) => ({ ...row, currency: 'USD' }));

let site: ScoredSite;

beforeAll(async () => {
  site = await ScoredSite.start(BEGIN);
  await site.addSignals(
    { name: 'hole', host: 'web', cve: HOLE, attributes: of('IT', 'critical') },
    { name: 'second', host: 'web', cve: OTHER, attributes: of('IT', 'critical') },
    { name: 'hole', host: 'mail', cve: HOLE, attributes: of('Sales') },
    { name: 'hole', host: 'db', cve: OTHER, attributes: of('IT') },
    { name: 'hole', host: 'toy', cve: OTHER, attributes: of('Sales', 'low') },
    { name: 'clean', host: 'bare', cve: null, attributes: of('Sales') },
    { name: 'beacon', host: 'mail', type: 'edr', cve: null, technique: 'T1486', attributes: of('Sales') },
  );
});
afterAll(() => site.stop());

const of = (department: string, criticality?: string) =>
  ({ tags: { dept: [department] }, ...(criticality && { criticality }) }) as unknown as Record<
    string,
    string
  >;

const loss = (query = '') => site.client.get<LossDto>(`/api/v3/loss?${query}`);
const fixes = (query = '') => site.client.get<LossFixesDto>(`/api/v3/loss/fixes?${query}`);

/** What a process returns that keeps no results of before. */
async function byAnother<T>(read: (client: ApiClient) => Promise<T>): Promise<T> {
  const other = await StartedGateway.start({ beside: site.gateway, clock: () => site.now });
  try {
    return await read(await other.client('analyst'));
  } finally {
    await other.stop();
  }
}

async function change(settings: object): Promise<void> {
  const answer = await site.client.request('PATCH', '/api/v3/settings', JSON.stringify(settings));
  expect(answer.status).toBe(200);
}

/** The assets with a hazard, from the stored scores. */
async function storedAssets(rates: posture2.IncidentRates = posture2.DEFAULT_INCIDENT_RATES) {
  const { rows } = await site.gateway.database.pool.query(
    `select a.id, a.name, a.criticality, h.department, h.forecast::text as forecast, h.evidence_low::text as low,
            h.evidence_best::text as best, h.evidence_high::text as high
     from score_history h join assets a using (asset_no) where h.valid_to = 'infinity'`,
  );
  const rangeOf = posture2.lossRangeFinder(RANGES);
  const targeting = posture2.targetingOf(rates);
  return rows.map(({ id, name, forecast, low, best, high, ...place }) => ({
    id,
    name,
    department: place.department,
    range: rangeOf(place),
    hazards: posture2.yearlyHazards(
      { forecast: BigInt(forecast), evidence: { low: BigInt(low), best: BigInt(best), high: BigInt(high) } },
      targeting,
    ),
  }));
}

const ofBest = (assets: Awaited<ReturnType<typeof storedAssets>>) =>
  assets.map(({ id, hazards, range }) => ({ id, hazard: hazards.best, range }));
const cents = (amount: number) => Math.round(amount * 100) / 100;

describe('before there are amounts', () => {
  it('state why', async () => {
    expect(await loss()).toMatchObject({
      reason: 'noRanges',
      loss: null,
      currency: null,
      scope: 'organization',
    });
    expect(await fixes()).toMatchObject({ reason: 'noRanges', fixes: null });
    await change({ loss: ROWS });
    expect(await loss('department=IT')).toMatchObject({
      reason: 'otherModel',
      loss: null,
      currency: 'EUR',
      scope: 'department:IT',
    });
    expect(await fixes()).toMatchObject({ reason: 'otherModel', fixes: null });
    await change({ scoringModel: 'posture-2' });
    expect(await loss()).toMatchObject({ reason: 'beingScored', loss: null });
    await site.score();
    expect(await loss()).toMatchObject({ reason: null, loss: { assets: 4 } });
  });
});

describe('GET /api/v3/loss', () => {
  it('returns the simulated years of the stored hazards', async () => {
    const found = await loss();
    const seed = posture2.seedOf(found.position, 'organization');
    const assets = await storedAssets();
    for (const value of ['low', 'best', 'high'] as const) {
      const given = assets.map(({ id, hazards, range }) => ({ id, hazard: hazards[value], range }));
      const figures = posture2.lossFigures(posture2.simulateYears(given, seed));
      expect(found.loss!.annualLossExpectancy[value]).toBe(cents(figures.mean));
      expect(found.loss!.standardError[value]).toBe(cents(figures.standardError));
      expect(found.loss!.lossProbability[value]).toBe(figures.lossShare);
      expect(found.loss!.exceedance.map((point) => point.loss[value])).toEqual(
        figures.exceedance.map((point) => cents(point.loss)),
      );
      expect(found.loss!.years[value]).toBe(10_000);
    }
    expect(found).toMatchObject({ currency: 'EUR', scope: 'organization' });
    expect(found.position).toMatch(/^\d:\d+(,\d:\d+)*$/);
    expect(found.loss).toMatchObject({ assets: 4, assetsWithoutRange: 1 });
    expect(found.loss!.annualLossExpectancy.best).toBeGreaterThan(0);
  });

  it('returns those of a group', async () => {
    const found = await loss('department=IT');
    expect(found).toMatchObject({ scope: 'department:IT', loss: { assets: 2, assetsWithoutRange: 0 } });
    const seed = posture2.seedOf(found.position, 'department:IT');
    const assets = (await storedAssets()).filter(({ department }) => department === 'IT');
    const { mean } = posture2.lossFigures(posture2.simulateYears(ofBest(assets), seed));
    expect(found.loss!.annualLossExpectancy.best).toBe(cents(mean));
    expect((await loss('location=Nowhere')).loss).toMatchObject({
      annualLossExpectancy: { low: 0, best: 0, high: 0 },
      assets: 0,
    });
  });

  it('returns the same after a replay', async () => {
    const paths = ['loss', 'loss?department=Sales', 'loss/fixes'];
    const all = (of: ApiClient) => Promise.all(paths.map((path) => of.get(`/api/v3/${path}`)));
    const before = await all(site.client);
    const { database, log } = site.gateway;
    await replaySite(database as unknown as Parameters<typeof replaySite>[0], log, {
      databaseUrl: database.url,
    });
    await site.score();
    expect(await byAnother(all)).toEqual(before);
    expect(before[0]).toMatchObject({ reason: null });
  });

  it('returns those of the position while a change of a criticality waits to be scored', async () => {
    const paths = ['loss', 'loss/fixes'];
    const all = (of: ApiClient) => Promise.all(paths.map((path) => of.get(`/api/v3/${path}`)));
    const before = await all(site.client);
    await site.fold({ name: 'hole', host: 'mail', cve: HOLE, attributes: of('Sales', 'critical') });
    expect(await byAnother(all)).toEqual(before);
    await site.score();
    const after = await loss();
    expect(after.position).not.toBe(before[0].position);
    expect(after.loss!.annualLossExpectancy.best).toBeGreaterThan(before[0].loss.annualLossExpectancy.best);
    await site.addSignals({ name: 'hole', host: 'mail', cve: HOLE, attributes: of('Sales', 'medium') });
  });

  it('returns others after a change, and after one of the settings', async () => {
    const before = await loss();
    await change({ loss: IN_DOLLARS });
    expect(await loss()).toEqual({ ...before, currency: 'USD' });
    await change({ loss: ROWS });
    expect(await loss()).toEqual(before);
    await site.addSignals({ name: 'third', host: 'db', cve: HOLE });
    const after = await loss();
    expect(after.position).not.toBe(before.position);
    expect(after.loss).not.toEqual(before.loss);
  });

  it('states that scores are being computed again', async () => {
    await site.importForecast(OTHER, 0.4);
    expect(await loss()).toMatchObject({ reason: 'beingScored', loss: null });
    await site.score();
    expect((await loss()).reason).toBeNull();
  });

  it('states so from when an import is in force until all assets that it affects are marked', async () => {
    const { pool, db } = site.gateway.database;
    await pool.query(
      `insert into catalogue_imports (id, catalogue, source, started_at, content_hash, valid_from, marking_from)
       values (gen_random_uuid(), 'kev', 'kev.json', $1, 'f0', $1, 0)`,
      [new Date(site.now)],
    );
    expect(await loss()).toMatchObject({ reason: 'beingScored', loss: null });
    expect(await fixes()).toMatchObject({ reason: 'beingScored', fixes: null });
    await bringPendingIntoForce(db);
    expect((await loss()).reason).toBeNull();
  });

  it.each([
    ['two groups', 'department=IT&type=Server', /cannot be combined/],
    ['an unknown parameter', 'asOf=2026-03-02T08:00:00Z', /asOf/],
  ])('rejects %s', async (_, query, message) => {
    for (const path of ['loss', 'loss/fixes']) {
      const answer = await site.client.request('GET', `/api/v3/${path}?${query}`);
      expect([answer.status, answer.body.message]).toEqual([400, expect.stringMatching(message)]);
    }
  });

  it('is rejected with Retry-After if several requests wait already', async () => {
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, i) => site.client.request('GET', `/api/v3/loss?location=${i}`)),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    expect(refused.length).toBeGreaterThan(0);
    for (const { headers, body } of refused) {
      expect([headers.get('retry-after'), body.message]).toEqual(['10', '10']);
    }
    expect((await loss('location=23')).reason).toBeNull();
  });
});

describe('GET /api/v3/loss/fixes', () => {
  it('returns what each fix avoids in the same years', async () => {
    const found = await fixes();
    const { position } = await loss();
    expect(found).toMatchObject({ reason: null, currency: 'EUR', scope: 'organization', position });
    const seed = posture2.seedOf(position, 'organization');
    const assets = await storedAssets();
    const before = posture2.simulateYears(ofBest(assets), seed);
    const beacon = await site.findingId('beacon');
    const [best] = found.fixes!;
    expect(best).toMatchObject({ kind: 'finding', id: beacon, name: 'beacon', assetName: 'mail', assets: 1 });
    // Without its detection, the asset has the hazard of its hole.
    const mail = assets.find(({ name }) => name === 'mail')!;
    const { rows } = await site.gateway.database.pool.query(
      `select forecast::text as forecast from score_history h join assets a using (asset_no)
       where a.name = 'mail' and h.valid_to = 'infinity'`,
    );
    const hazard = posture2.yearlyHazards(
      { ...posture2.NO_HAZARD_SUMS, forecast: BigInt(rows[0].forecast) },
      posture2.DEFAULT_TARGETING,
    ).best;
    const fixed = ofBest(assets).map((one) => (one.id === mail.id ? { ...one, hazard } : one));
    const avoided = posture2.avoidedLoss(before, posture2.simulateYears(fixed, seed));
    expect(avoided.isDifferent).toBe(true);
    expect(best).toMatchObject({
      avoidedLoss: cents(avoided.mean),
      standardError: cents(avoided.standardError),
    });
  });

  it('are sorted, of both kinds, and as many as requested', async () => {
    const { fixes: found } = await fixes();
    const amounts = found!.map(({ avoidedLoss }) => avoidedLoss);
    expect(amounts).toEqual([...amounts].sort((a, b) => b - a));
    expect(new Set(found!.map(({ kind }) => kind))).toEqual(new Set(['finding', 'cve']));
    const cve = found!.find(({ kind, id }) => kind === 'cve' && id === HOLE);
    expect(cve).toMatchObject({ assetId: null, assetName: null, name: null, assets: 3 });
    expect((await fixes('limit=1')).fixes!.map(({ kind }) => kind).sort()).toEqual(['cve', 'finding']);
    expect((await fixes('location=Nowhere')).fixes).toEqual([]);
    expect((await site.client.request('GET', '/api/v3/loss/fixes?limit=11')).status).toBe(400);
  });

  it('leave out assets that wait to be scored', async () => {
    await site.fold({ name: 'fourth', host: 'db', cve: 'CVE-2024-10002' });
    const db = await site.assetId('db');
    const waiting = await fixes('limit=10');
    expect(waiting.fixes!.map(({ assetId }) => assetId)).not.toContain(db);
    await site.score();
    expect((await fixes('limit=10')).fixes!.map(({ assetId }) => assetId)).toContain(db);
  });
});

it('are gone without ranges', async () => {
  await change({ loss: [] });
  expect(await loss()).toMatchObject({ reason: 'noRanges', loss: null, currency: null });
  expect(await fixes()).toMatchObject({ reason: 'noRanges', fixes: null });
});
