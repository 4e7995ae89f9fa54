import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { groupScore, isoTime } from '#libs/domain';
import {
  assetIdOf,
  GRID_MS,
  groupsOf,
  holdsAt,
  KINDS,
  LAST,
  type Period,
  pointsOf,
  scoreHistories,
  storeAssets,
  storeScores,
  sumOf,
} from '../../../../test/fixtures/scores/score-periods.ts';
import type { ApiClient } from '../../../../test/support/api-client.ts';
import { runs } from '../../../../test/support/long-run.ts';
import { DAY_MS, T0 } from '../../../../test/support/scenario.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { RiskSumsRepository } from './risk-sums.repository.ts';
import type { GroupKind } from './score-groups.ts';

const NOW = LAST + 10 * DAY_MS;
const NOBODY = '00000000-0000-4000-8000-00000000ffff';

const ROUTES: Record<GroupKind, string> = {
  type: 'asset-types',
  attackSurface: 'attack-surfaces',
  department: 'departments',
  location: 'locations',
};

let gateway: StartedGateway;
let client: ApiClient;

beforeAll(async () => {
  gateway = await StartedGateway.start({ clock: () => NOW });
  client = await gateway.client('viewer');
  await storeAssets(gateway.database);
});
afterAll(() => gateway.stop());

const MADE_WITH = { model: 'posture-1', catalogue: 'attack' };

/** Right before, at and right after every change, and at random. */
const instantsOf = (periods: Period[]) => {
  const times = periods.flatMap(({ from, to }) => (to === Number.POSITIVE_INFINITY ? [from] : [from, to]));
  return fc.oneof(
    fc.tuple(fc.constantFrom(T0, ...times), fc.constantFrom(-1, 0, 1)).map(([time, by]) => time + by),
    fc.integer({ min: T0 - DAY_MS, max: NOW - 1 }),
  );
};

const cases = scoreHistories.chain((periods) =>
  fc.record({
    periods: fc.constant(periods),
    at: instantsOf(periods),
    limit: fc.integer({ min: 1, max: 3 }),
  }),
);

interface Item {
  id: string;
  assetId: string;
  score: number | null;
  criticality: string | null;
  department: string;
  type: string;
  location: string;
}

/** All pages, each of a few items. */
async function paged(path: string, limit: number): Promise<{ items: Item[]; largest: number }> {
  const items: Item[] = [];
  let largest = 0;
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: { items: Item[]; nextCursor: string | null } = await client.get(
      `${path}${path.includes('?') ? '&' : '?'}limit=${limit}${cursor && `&cursor=${cursor}`}`,
    );
    items.push(...page.items);
    largest = Math.max(largest, page.items.length);
    cursor = page.nextCursor;
  }
  return { items, largest };
}

const byScore = <T extends { score: number | null }>(a: T, b: T) => (b.score ?? -1) - (a.score ?? -1);
const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);

const riskOf = (held: Period[]) => {
  const risk = groupScore(sumOf(held));
  return { ...risk, liveAssets: risk.assets };
};

const groupsAt = (held: Period[], kind: GroupKind, at: string) =>
  [...groupsOf(held, kind)]
    .map(([name, of]) => ({ name, ...riskOf(of), at, ...MADE_WITH }))
    .sort((a, b) => byScore(a, b) || byName(a, b));

describe('scores of groups', () => {
  it('at an instant match the assets of that time, for any page', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ periods, at, limit }) => {
        await storeScores(gateway.database, periods);
        const held = periods.filter(holdsAt(at));
        expect(await client.get(`/api/v3/scores/organization?asOf=${isoTime(at)}`)).toEqual({
          ...riskOf(held),
          at: isoTime(at),
          ...MADE_WITH,
        });
        for (const kind of KINDS) {
          const { items, largest } = await paged(`/api/v3/scores/${ROUTES[kind]}?asOf=${isoTime(at)}`, limit);
          expect(items).toEqual(groupsAt(held, kind, isoTime(at)));
          expect(largest).toBeLessThanOrEqual(limit);
          const named = await paged(`/api/v3/scores/${ROUTES[kind]}?asOf=${isoTime(at)}&name=Sales`, limit);
          expect(named.items).toEqual(
            groupsAt(held, kind, isoTime(at)).filter(({ name }) => name === 'Sales'),
          );
        }
      }),
      { numRuns: runs(40) },
    );
  }, 120_000);

  it('at present come from the sums, and equal the scores of the last instant', async () => {
    await fc.assert(
      fc.asyncProperty(scoreHistories, fc.integer({ min: 1, max: 3 }), async (periods, limit) => {
        await storeScores(gateway.database, periods);
        const held = periods.filter(holdsAt(NOW));
        const changes = periods.flatMap(({ from, to }) =>
          to === Number.POSITIVE_INFINITY ? [from] : [from, to],
        );
        const at = changes.length > 0 ? isoTime(Math.max(...changes)) : null;
        const present = { ...riskOf(held), at, ...MADE_WITH };
        expect(await client.get('/api/v3/scores/organization')).toEqual(present);
        expect(await client.get(`/api/v3/scores/organization?asOf=${isoTime(NOW + DAY_MS)}`)).toEqual(
          present,
        );
        for (const kind of KINDS) {
          const { items } = await paged(`/api/v3/scores/${ROUTES[kind]}`, limit);
          expect(items).toEqual(groupsAt(held, kind, at as string));
          for (const { name } of groupsAt(held, kind, at as string)) {
            const named = await client.get(`/api/v3/scores/${ROUTES[kind]}?name=${name}`);
            expect(named.items).toEqual(groupsAt(held, kind, at as string).filter((of) => of.name === name));
          }
        }
      }),
      { numRuns: runs(15) },
    );
  }, 120_000);

  it('are sorted by their rounded values', async () => {
    await storeScores(gateway.database, []);
    const { db } = gateway.database;
    const random = fc.sample(
      fc.record({
        score: fc.integer({ min: 0, max: 9_999 }),
        scored_assets: fc.integer({ min: 1, max: 9 }),
        by: fc.constantFrom(-1n, 0n, 1n),
      }),
      2_000,
    );
    // Values with a fourth root half-way between two hundredths, and next to it.
    const rows = random.map(({ score, scored_assets, by }, i) => ({
      partition: 0,
      kind: 'department' as const,
      name: `${i}`,
      assets: scored_assets,
      scored_assets,
      fourth_powers: String((BigInt(2 * score + 1) ** 4n * BigInt(scored_assets)) / 16n + by),
      likelihood: 0,
    }));
    await db
      .insertInto('score_sums')
      .values(rows.filter(({ fourth_powers }) => fourth_powers !== '-1'))
      .execute();
    const groups = await new RiskSumsRepository(db).groups(
      'posture-1',
      { kind: 'department', names: null },
      null,
      null,
      5_000,
    );
    expect(groups.length).toBeGreaterThan(1_900);
    for (const { rank, sum } of groups)
      expect([sum, rank]).toEqual([sum, Math.round(groupScore(sum).score! * 100)]);
  });

  it('are null before anything was computed', async () => {
    await storeScores(gateway.database, []);
    const nothing = {
      score: null,
      breachLikelihood: null,
      ...{ assets: 0, liveAssets: 0, scoredAssets: 0 },
      ...MADE_WITH,
    };
    expect(await client.get('/api/v3/scores/organization')).toEqual({ ...nothing, at: null });
    expect(await client.get(`/api/v3/scores/organization?asOf=${isoTime(T0)}`)).toEqual({
      ...nothing,
      at: isoTime(T0),
    });
    expect(await client.get('/api/v3/scores/departments')).toEqual({ items: [], nextCursor: null });
  });
});

describe('the history of the organization', () => {
  const ranges = fc.record({
    from: fc.oneof(
      fc.integer({ min: T0 - DAY_MS, max: NOW }),
      fc.integer({ min: -1, max: (LAST - T0) / GRID_MS }).map((quarters) => T0 + quarters * GRID_MS),
    ),
    days: fc.integer({ min: 0, max: 30 }),
    step: fc.constantFrom(['PT6H', 6], ['day', 24], ['PT7H30M', 7.5], ['week', 168], ['P1DT1H', 25]),
  });

  it('is at each step the score of that time, for all and for a group', async () => {
    await fc.assert(
      fc.asyncProperty(scoreHistories, ranges, async (periods, { from, days, step: [step, hours] }) => {
        await storeScores(gateway.database, periods);
        const to = Math.min(from + days * DAY_MS, NOW);
        const points: number[] = [];
        for (let at = from; at <= to; at += (hours as number) * 3_600_000) points.push(at);
        const expected = (of: Period[]) =>
          points.map((at) => ({
            at: isoTime(at),
            ...groupScore(sumOf(of.filter(holdsAt(at)))),
            model: 'posture-1',
          }));
        const path = `/api/v3/scores/organization/history?from=${isoTime(from)}&to=${isoTime(to)}&step=${step}`;
        expect(await client.get(path)).toEqual({
          items: expected(periods),
          nextCursor: null,
          model: 'posture-1',
          modelChanges: [],
        });
        const ofSales = periods.filter(({ department }) => department === 'Sales');
        expect((await client.get(`${path}&department=Sales`)).items).toEqual(expected(ofSales));
      }),
      { numRuns: runs(40) },
    );
  }, 120_000);

  it('has the last 30 days by day by default', async () => {
    await storeScores(gateway.database, []);
    const { items } = await client.get('/api/v3/scores/organization/history');
    expect(items.map(({ at }: { at: string }) => at)).toEqual(
      Array.from({ length: 31 }, (_, i) => isoTime(NOW - (30 - i) * DAY_MS)),
    );
    const future = await client.get(`/api/v3/scores/organization/history?to=2100-01-01T00:00:00Z`);
    expect(future.items).toEqual(items);
  });
});

describe('the history of an asset', () => {
  it('is every period, newest first, and with asOf the periods that had begun', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ periods, at, limit }) => {
        await storeScores(gateway.database, periods);
        const own = periods.filter(({ assetNo }) => assetNo === 1).sort((a, b) => b.from - a.from);
        const told = ({ from, to, risk, assetNo: _, ...groups }: Period, until: number) => ({
          from: isoTime(from),
          to: to > until ? null : isoTime(to),
          ...pointsOf(risk),
          model: 'posture-1',
          ...groups,
        });
        const path = `/api/v3/assets/${assetIdOf(1)}/score/history`;
        const { items, largest } = await paged(path, limit);
        expect(items).toEqual(own.map((period) => told(period, NOW)));
        expect(largest).toBeLessThanOrEqual(limit);
        const past = await paged(`${path}?asOf=${isoTime(at)}`, limit);
        expect(past.items).toEqual(own.filter(({ from }) => from <= at).map((period) => told(period, at)));
      }),
      { numRuns: runs(15) },
    );
  }, 120_000);
});

describe('assets by score', () => {
  const ranked = (held: Period[]) =>
    [...held]
      .map(({ assetNo, risk, from, to: _, ...groups }) => ({ assetNo, ...pointsOf(risk), from, ...groups }))
      .sort((a, b) => byScore(a, b) || a.assetNo - b.assetNo);

  it('at an instant are in the order of that time, with the values of that time', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ periods, at, limit }) => {
        await storeScores(gateway.database, periods);
        const held = periods.filter(holdsAt(at));
        const told = ({ assetNo, from, ...rest }: ReturnType<typeof ranked>[number]) => ({
          assetId: assetIdOf(assetNo),
          name: `host${assetNo}`,
          criticality: at >= T0 && assetNo % 3 === 0 ? 'critical' : null,
          since: isoTime(from),
          at: isoTime(at),
          ...MADE_WITH,
          ...rest,
        });
        const path = `/api/v3/scores/assets?asOf=${isoTime(at)}`;
        const { items } = await paged(path, limit);
        expect(items).toEqual(ranked(held).map(told));
        const filtered = async (query: string, holds: (item: Item) => boolean) =>
          expect((await paged(`${path}&${query}`, limit)).items).toEqual(items.filter(holds));
        await filtered('scored=true', ({ score }) => score !== null);
        await filtered(
          'scored=false&department=IT',
          (item) => item.score === null && item.department === 'IT',
        );
        await filtered('criticality=critical', ({ criticality }) => criticality === 'critical');
        await filtered(
          'type=Server&location=Oslo',
          (item) => item.type === 'Server' && item.location === 'Oslo',
        );
      }),
      { numRuns: runs(15) },
    );
  }, 120_000);

  it('now are all live assets, with unprocessed ones counted as unscored', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ periods, limit }) => {
        await storeScores(gateway.database, periods);
        const own = new Map(periods.filter(holdsAt(NOW)).map((period) => [period.assetNo, period]));
        const all = Array.from({ length: 12 }, (_, i) => ({
          assetId: assetIdOf(i + 1),
          ...pointsOf(own.get(i + 1)?.risk ?? null),
          since: own.has(i + 1) ? isoTime(own.get(i + 1)!.from) : null,
        })).sort((a, b) => byScore(a, b) || (a.assetId < b.assetId ? -1 : 1));
        const { items } = await paged('/api/v3/scores/assets', limit);
        expect(items).toMatchObject(all);
        expect(items).toHaveLength(12);

        const listed = (query: string) => paged(`/api/v3/assets?${query}`, limit);
        const ids = (of: { assetId: string }[]) => of.map(({ assetId }) => assetId);
        const falling = (await listed('sort=-score')).items;
        expect(falling.map(({ id, score }) => [id, score])).toEqual(
          all.map(({ assetId, score }) => [assetId, score]),
        );
        expect((await listed('sort=score')).items).toEqual([...falling].reverse());
        for (const scored of [true, false]) {
          const those = ids(all.filter(({ score }) => (score !== null) === scored));
          for (const sort of ['&sort=-score', '']) {
            const found = (await listed(`scored=${scored}${sort}`)).items.map(({ id }) => id);
            expect(sort ? found : found.sort()).toEqual(sort ? those : those.sort());
          }
          const { total } = await client.get(`/api/v3/assets/counts?scored=${scored}`);
          expect(total).toBe(those.length);
        }
      }),
      { numRuns: runs(15) },
    );
  }, 120_000);

  it('every answer about an asset contains its score, with asOf the score at that time', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ periods, at }) => {
        await storeScores(gateway.database, periods);
        const scoreAt = (instant: number, no: number) =>
          pointsOf(periods.find((one) => one.assetNo === no && holdsAt(instant)(one))?.risk ?? null).score;
        const listed = await client.all(`/api/v3/assets?asOf=${isoTime(at)}`);
        expect(listed.map(({ score }) => score)).toEqual(listed.map((_, i) => scoreAt(at, i + 1)));
        expect(listed).toHaveLength(at < T0 ? 0 : 12);
        expect((await client.get(`/api/v3/assets/${assetIdOf(1)}`)).score).toBe(scoreAt(NOW, 1));
        if (at < T0) return;
        expect((await client.get(`/api/v3/assets/${assetIdOf(1)}?asOf=${isoTime(at)}`)).score).toBe(
          scoreAt(at, 1),
        );
        const scored = await client.all(`/api/v3/assets?asOf=${isoTime(at)}&scored=true`);
        expect(scored).toEqual(listed.filter(({ score }) => score !== null));
        const { total } = await client.get(`/api/v3/assets/counts?asOf=${isoTime(at)}&scored=false`);
        expect(total).toBe(12 - scored.length);
      }),
      { numRuns: runs(15) },
    );
  }, 120_000);
});

describe('what cannot be answered', () => {
  const forged = (...keys: unknown[]) => Buffer.from(JSON.stringify(keys)).toString('base64url');
  const history = '/api/v3/scores/organization/history';

  it.each([
    ['/api/v3/scores/organization?asOf=yesterday', 'asOf'],
    ['/api/v3/scores/organization?limit=1', 'limit'],
    ['/api/v3/scores/departments?name=IT&name=Sales', 'name'],
    ['/api/v3/scores/departments?name=%00', 'name'],
    ['/api/v3/scores/departments?department=IT', 'department'],
    [`/api/v3/scores/locations?cursor=${forged(10_001, 'x', 'y')}`, 'cursor'],
    [`/api/v3/scores/locations?cursor=${forged(1, 'x')}`, 'cursor'],
    [`/api/v3/scores/locations?cursor=${forged(1, '\0', 'y')}`, 'cursor'],
    [`/api/v3/scores/assets?cursor=${forged('1', 1)}`, 'cursor'],
    ['/api/v3/scores/assets?scored=maybe', 'scored'],
    ['/api/v3/scores/assets?q=x', 'q'],
    ['/api/v3/assets?scored=1', 'scored'],
    [`/api/v3/assets?sort=score&cursor=${forged('score', '99999', 1)}`, 'cursor'],
    [`/api/v3/assets/export?format=csv&sort=-score&asOf=${isoTime(T0)}`, 'sort'],
    [`/api/v3/findings/export?format=csv&sort=-severity&asOf=${isoTime(T0)}`, 'sort'],
    [`${history}?step=month`, 'step'],
    [`${history}?step=P1M`, 'step'],
    [`${history}?step=PT0S`, 'step'],
    [`${history}?step=P`, 'step'],
    [`${history}?step=hour&step=day`, 'step'],
    [`${history}?step=hour`, 'step'],
    [`${history}?from=${isoTime(NOW + 1)}`, 'from'],
    [`${history}?from=${isoTime(NOW)}&to=${isoTime(T0)}`, 'from'],
    [`${history}?department=IT&location=Oslo`, 'location'],
    [`/api/v3/assets/${assetIdOf(1)}/score/history?cursor=${forged('x')}`, 'cursor'],
    ['/api/v3/assets/x/score/history', 'uuid'],
  ])('%s is a 400 that names %s', async (path, named) => {
    const { status, body } = await client.request('GET', path);
    expect(status).toBe(400);
    expect(body.message).toContain(named);
  });

  it('the history of no asset is a 404', async () => {
    expect((await client.request('GET', `/api/v3/assets/${NOBODY}/score/history`)).status).toBe(404);
  });
});
