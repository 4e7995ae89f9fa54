import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { isoTime } from '#libs/domain';
import { ScoredSite } from '../../../../test/fixtures/scores/scored-site.ts';
import type { ExplanationDto } from './explain.dto.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';
const MONDAY = Date.parse('2026-03-02T08:00:00.000Z');

let site: ScoredSite;
let from: string;

beforeAll(async () => {
  site = await ScoredSite.start(MONDAY);
  await site.addSignals(
    { name: 'kernel', host: 'web01', cve: 'CVE-2024-10001' },
    { name: 'cipher', host: 'web01', cve: 'CVE-2024-10002' },
    { name: 'shell', host: 'web02', cve: 'CVE-2024-10003' },
    { name: 'editor', host: 'db01', cve: 'CVE-2024-10004', severity: 5 },
    { name: 'calm', host: 'calm01', cve: 'CVE-2024-10005', severity: 3 },
  );
});
afterAll(() => site.stop());
beforeEach(() => {
  from = isoTime(site.pass());
});

const explained = (query = '') =>
  site.client.get<ExplanationDto>(`/api/v3/scores/organization/explain?from=${from}${query}`);
const hundredths = (points: number) => Math.round(points * 100);

/** Verifies that a response adds up, and that it agrees with the scores on both sides. */
async function expectAddsUp(told: ExplanationDto, path = '/api/v3/scores/organization'): Promise<void> {
  const sum = [...told.causes, told.others].reduce((total, { share }) => total + hundredths(share), 0);
  expect(sum).toBe(hundredths(told.difference));
  expect((await site.client.get(`${path}?asOf=${told.from.at}`)).score).toBe(told.from.score);
  expect((await site.client.get(`${path}?asOf=${told.to.at}`)).score).toBe(told.to.score);
}

describe('GET /api/v3/scores/organization/explain', () => {
  it('names a new finding', async () => {
    await site.addSignals({ name: 'new one', host: 'db01', cve: 'CVE-2024-10006' });
    const told = await explained();
    expect(told).toMatchObject({ model: 'posture-1', others: { causes: 0, share: 0 }, from: { at: from } });
    expect(told.to.at).toBe(isoTime(site.now));
    expect(told.causes).toEqual([
      {
        kind: 'finding',
        id: await site.findingId('new one'),
        assetId: await site.assetId('db01'),
        assetName: 'db01',
        name: 'new one',
        what: 'not there → Failed',
        share: told.difference,
      },
    ]);
    expect(told.difference).toBeGreaterThan(0);
    await expectAddsUp(told);
  });

  it('names an acceptance, a fix and a finding that came back, rises and falls apart', async () => {
    await site.accept(await site.findingId('kernel'));
    await site.addSignals({ name: 'shell', host: 'web02', cve: 'CVE-2024-10003', status: 'pass' });
    await site.addSignals({ name: 'backdoor', host: 'web01', cve: 'CVE-2024-10007' });
    const told = await explained();
    expect(told.causes).toHaveLength(3);
    expect(told.causes).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'acceptance', name: 'kernel', what: 'Failed → AcceptedFailed' }),
        expect.objectContaining({ kind: 'finding', name: 'shell', what: 'Failed → Qualified' }),
        expect.objectContaining({ kind: 'finding', name: 'backdoor', what: 'not there → Failed' }),
      ]),
    );
    for (const { name, share } of told.causes) expect(Math.sign(share)).toBe(name === 'backdoor' ? 1 : -1);
    await expectAddsUp(told);
    const [first, ...rest] = told.causes;
    const one = await explained('&limit=1');
    expect(one).toMatchObject({ causes: [first], others: { causes: rest.length } });
    await expectAddsUp(one);
  });

  it('shows causes that cancel out if the score is the same on both sides', async () => {
    await site.addSignals(
      { name: 'backdoor', host: 'web01', cve: 'CVE-2024-10007', status: 'pass' },
      { name: 'side door', host: 'web01', cve: 'CVE-2024-10008' },
    );
    const told = await explained();
    expect(told.difference).toBe(0);
    expect(told.causes.map(({ name }) => name).sort()).toEqual(['backdoor', 'side door']);
    expect(told.causes[0]!.share).toBe(-told.causes[1]!.share);
    expect(told.causes[0]!.share).not.toBe(0);
  });

  it('names a change of a catalogue once, however many assets it moves', async () => {
    await site.addSignals({ name: 'cipher too', host: 'db01', cve: 'CVE-2024-10002' });
    from = isoTime(site.pass());
    await site.forecast('CVE-2024-10002', 0.8);
    const told = await explained();
    expect(told.causes).toMatchObject([
      {
        kind: 'catalogue',
        id: 'CVE-2024-10002',
        assetId: null,
        assetName: null,
        what: 'unknown → EPSS 0.8 of 2026-03-02',
      },
    ]);
    expect(told.difference).toBeGreaterThan(0);
    await expectAddsUp(told);
  });

  it('names an asset that was rated otherwise, one that came and one that went', async () => {
    await site.forecast('CVE-2024-10005', 0.8);
    from = isoTime(site.pass());
    await site.addSignals({
      name: 'calm',
      host: 'calm01',
      cve: 'CVE-2024-10005',
      severity: 3,
      attributes: { criticality: 'critical' },
    });
    await site.addSignals({ name: 'fresh', host: 'fresh01', cve: 'CVE-2024-10009' });
    const gone = await site.assetId('db01');
    await site.deleteAsset('db01');
    const told = await explained();
    const whatOf = new Map(told.causes.map(({ assetId, kind, what }) => [assetId, [kind, what]]));
    expect(told.causes.map(({ assetName }) => assetName).sort()).toEqual(['calm01', 'db01', 'fresh01']);
    expect(whatOf).toEqual(
      new Map([
        [await site.assetId('calm01'), ['asset', 'criticality not given → critical']],
        [await site.assetId('fresh01'), ['asset', 'the asset is new here']],
        [gone, ['asset', 'the asset is not here any more']],
      ]),
    );
    await expectAddsUp(told);
  });

  it('reports why a finding ended without a signal', async () => {
    await site.forecast('CVE-2024-10011', 0.9);
    const expiresAt = isoTime(site.now + 60_000);
    await site.addSignals({ name: 'short', host: 'web02', cve: 'CVE-2024-10011', expiresAt });
    from = isoTime(site.pass());
    site.pass(60_000);
    await site.score();
    const told = await explained();
    expect(told.causes).toMatchObject([{ kind: 'finding', name: 'short', what: 'Failed → Retired' }]);
  });

  it('is the same before and after the scorer has processed it', async () => {
    await site.fold({ name: 'unscored', host: 'unscored01', cve: 'CVE-2024-10018' });
    await site.importForecast('CVE-2024-10018', 0.7);
    from = isoTime(site.pass());
    await site.fold({ name: 'kernel', host: 'web02', cve: 'CVE-2024-10018' });
    const told = await explained();
    await site.score();
    expect(await explained()).toEqual(told);
    expect(told.causes).toMatchObject([{ kind: 'finding', name: 'kernel' }]);
    await expectAddsUp(told);
  });

  it('is of one group if one is named; an asset comes into it and leaves it', async () => {
    await site.addSignals({
      name: 'kernel 2',
      host: 'moved01',
      cve: 'CVE-2024-10012',
      attributes: { department: 'Sales' },
    });
    await site.addSignals({
      name: 'kernel 3',
      host: 'stays01',
      cve: 'CVE-2024-10013',
      attributes: { department: 'Sales' },
    });
    from = isoTime(site.pass());
    const moved = {
      name: 'kernel 2',
      host: 'moved01',
      cve: 'CVE-2024-10012',
      attributes: { department: 'IT' },
    };
    await site.addSignals(moved);
    const assetId = await site.assetId('moved01');
    const sales = await explained('&department=Sales');
    const it = await explained('&department=IT');
    expect((await explained()).causes).toEqual([]);
    expect([it.from.score, it.to.score]).toEqual([null, sales.from.score]);
    expect(it.causes).toMatchObject([{ kind: 'asset', assetId, share: it.difference }]);
    // As bad as the one that stays: the mean does not move.
    expect(sales.difference).toBe(0);
    expect(await explained('&department=Nowhere')).toMatchObject({
      from: { score: null },
      to: { score: null },
      difference: 0,
      causes: [],
    });
  });

  it('is nothing if nothing happened, and the same again later', async () => {
    const quiet = await explained();
    expect(quiet).toMatchObject({ difference: 0, causes: [], others: { causes: 0, share: 0 } });
    const past = `&to=${quiet.to.at}`;
    await site.addSignals({ name: 'later', host: 'web01', cve: 'CVE-2024-10014' });
    expect(await explained(past)).toEqual(quiet);
    const [begin, to] = [isoTime(MONDAY), isoTime(site.now + 60_000)];
    const whole = await site.client.get(`/api/v3/scores/organization/explain?from=${begin}&to=${to}`);
    expect(whole).toMatchObject({ from: { score: null }, to: { at: isoTime(site.now) } });
    await expectAddsUp(whole);
  });

  it.each([
    ['no from', '', /from is missing/],
    ['an instant without a zone', 'from=2026-03-01T00:00:00', /from must be an ISO 8601 time/],
    ['from behind to', 'from=2026-03-02T09:00:00Z&to=2026-03-02T08:00:00Z', /from must be before to/],
    ['from in the future', 'from=2036-03-02T09:00:00Z', /in the past/],
    ['two groups', 'from=2026-03-01T00:00:00Z&department=a&type=b', /cannot be combined/],
    ['a limit of none', 'from=2026-03-01T00:00:00Z&limit=0', /limit/],
    ['an unknown parameter', 'from=2026-03-01T00:00:00Z&step=1', /step/],
  ])('rejects %s', async (_, query, message) => {
    const answer = await site.client.request('GET', `/api/v3/scores/organization/explain?${query}`);
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringMatching(message) } });
  });

  it('is available to viewers, and to no request without a token', async () => {
    const viewer = await site.gateway.client('viewer');
    const path = `/api/v3/scores/organization/explain?from=${from}`;
    expect((await viewer.request('GET', path)).status).toBe(200);
    expect((await fetch(`${site.gateway.url}${path}`)).status).toBe(401);
  });
});

describe('GET /api/v3/assets/:id/score/explain', () => {
  it('is what moved one asset', async () => {
    const id = await site.assetId('web01');
    await site.addSignals({ name: 'another', host: 'web01', cve: 'CVE-2024-10015' });
    await site.addSignals({ name: 'elsewhere', host: 'web02', cve: 'CVE-2024-10016' });
    const told = await site.client.get(`/api/v3/assets/${id}/score/explain?from=${from}`);
    expect(told.causes).toMatchObject([{ kind: 'finding', name: 'another', share: told.difference }]);
    await expectAddsUp(told, `/api/v3/assets/${id}/score`);
  });

  it('reports a new or deleted asset', async () => {
    await site.addSignals({ name: 'brief', host: 'brief01', cve: 'CVE-2024-10017' });
    const id = await site.assetId('brief01');
    const path = `/api/v3/assets/${id}/score/explain`;
    const came = await site.client.get(`${path}?from=${from}`);
    expect(came).toMatchObject({
      from: { score: null },
      causes: [{ kind: 'asset', what: 'the asset is new here' }],
    });
    const there = isoTime(site.pass());
    await site.deleteAsset('brief01');
    const went = await site.client.get(`${path}?from=${there}`);
    expect(went).toMatchObject({
      to: { score: null },
      causes: [{ kind: 'asset', what: 'the asset is not here any more' }],
    });
    expect(went.difference).toBe(-came.difference);
    expect((await site.client.request('GET', `${path}?from=${isoTime(MONDAY)}&to=${from}`)).status).toBe(404);
  });

  it('is rejected with Retry-After if many requests wait already', async () => {
    const path = `/api/v3/assets/${await site.assetId('web01')}/score/explain?from=${isoTime(MONDAY)}`;
    const answers = await Promise.all(Array.from({ length: 24 }, () => site.client.request('GET', path)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    expect(refused.length).toBeGreaterThan(0);
    for (const { headers } of refused) expect(headers.get('retry-after')).toBe('5');
    expect((await site.client.request('GET', path)).status).toBe(200);
  });

  it('is a 404 for an unknown asset, and a 400 for an invalid id or span', async () => {
    const status = async (path: string) => (await site.client.request('GET', path)).status;
    expect(await status(`/api/v3/assets/${NOBODY}/score/explain?from=${from}`)).toBe(404);
    expect(await status(`/api/v3/assets/x/score/explain?from=${from}`)).toBe(400);
    expect(await status(`/api/v3/assets/${NOBODY}/score/explain`)).toBe(400);
    expect(await status(`/api/v3/assets/${NOBODY}/score/explain?from=${from}&type=Server`)).toBe(400);
  });
});
