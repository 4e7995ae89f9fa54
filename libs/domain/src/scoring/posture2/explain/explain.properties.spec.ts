import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { threatCatalogueOf } from '../../../../../../test/fixtures/domain/threatened-subjects.ts';
import {
  type Act,
  acts,
  afterAct,
  estateRisk,
  estates,
  HARDENING,
  knownThreats,
  SOFTENING,
} from '../../../../../../test/support/estates.ts';
import { runs } from '../../../../../../test/support/long-run.ts';
import { type Moved, moved, movesOf } from '../../../../../../test/support/moved-estates.ts';
import type { Explanation } from '../../explain/explanation.ts';
import { assetThreats, controlsOf, threatsIn } from '../asset-threats.ts';
import type { ThreatenedSubject } from '../facts.ts';
import { riskSumsOf } from '../risk-sums.ts';
import { DEFAULT_TARGETING } from '../targeting.ts';
import { assetContext, mappingsOf } from '../weakness.ts';
import { divideMove, explainMove, type ThreatMove } from './explain-move.ts';

const PARTIES = ['asset', 'findings', 'controls', 'catalogue', 'age'] as const;
type Party = (typeof PARTIES)[number];

const hundredths = (points: number | null) => Math.round((points ?? 0) * 100);
const sharesOf = ({ causes, others }: Explanation) =>
  [...causes, others].map(({ share }) => hundredths(share));
const sum = (values: number[]) => values.reduce((a, b) => a + b, 0);

/** Hundredths of an asset, not rounded, in a mixture; from the formula of the page. */
function exactHundredths(
  { from, to }: ThreatMove,
  moments: Pick<Moved, 'from' | 'to'>,
  changed: Set<Party>,
): number {
  const side = <T>(party: Party, before: T, after: T): T => (changed.has(party) ? after : before);
  const { asset } = side('asset', from!, to!);
  const { findings } = side('findings', from!, to!);
  const controls = side('controls', from!, to!).findings;
  const { catalogue } = side('catalogue', moments.from, moments.to);
  const at = (party: Party) => side(party, moments.from, moments.to).at;
  const mapped = (all: ThreatenedSubject['findings']) => all.map((one) => mappingsOf(one, catalogue));
  const context = assetContext(asset, {
    controls: controlsOf(controls, mapped(controls), catalogue, at('controls')),
    catalogue,
    targeting: DEFAULT_TARGETING,
    at: at('age'),
  });
  const { weighted } = riskSumsOf(threatsIn(findings, mapped(findings), context, at('findings')));
  const weights = { critical: 100, high: 50, medium: 25, low: 12, info: 6 };
  const risk = (asset.criticality ? weights[asset.criticality] : 25) * Math.sqrt(Number(weighted));
  return Math.min(10_000, (10_000 * Math.log(1 + risk / 1e7)) / Math.log(1 + 1e7));
}

const groupHundredths = (
  moves: ThreatMove[],
  moments: Pick<Moved, 'from' | 'to'>,
  changed: Set<Party>,
): number => (sum(moves.map((move) => exactHundredths(move, moments, changed) ** 4)) / moves.length) ** 0.25;

function ordersOf<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item) =>
    ordersOf(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
  );
}

/** The part of each party: the mean of its effects over all 120 orders. */
function partsByOrders(moves: ThreatMove[], moments: Pick<Moved, 'from' | 'to'>): Record<Party, number> {
  const orders = ordersOf(PARTIES);
  const known = new Map<string, number>();
  const scoreOf = (changed: Set<Party>) => {
    const key = PARTIES.filter((party) => changed.has(party)).join();
    if (!known.has(key)) known.set(key, groupHundredths(moves, moments, changed));
    return known.get(key)!;
  };
  const parts = { asset: 0, findings: 0, controls: 0, catalogue: 0, age: 0 };
  for (const order of orders) {
    const changed = new Set<Party>();
    for (const party of order) {
      const before = scoreOf(changed);
      changed.add(party);
      parts[party] += (scoreOf(changed) - before) / orders.length;
    }
  }
  return parts;
}

const PARTY_OF: Record<string, Party> = {
  asset: 'asset',
  finding: 'findings',
  acceptance: 'findings',
  control: 'controls',
  catalogue: 'catalogue',
  age: 'age',
};

describe('what moved a score of posture-2', () => {
  it('adds up exactly between the scores of both sides, in any order', async () => {
    await fc.assert(
      fc.asyncProperty(moved, fc.nat(), async ({ moves, from, to }, seed) => {
        const told = await explainMove(moves, from, to);
        const riskAt = (side: 'from' | 'to', { catalogue, at }: Moved['from']) =>
          estateRisk(
            { subjects: moves.flatMap((move) => move[side] ?? []), at },
            catalogue,
            DEFAULT_TARGETING,
          ).organization.score;
        expect([told.from, told.to]).toEqual([riskAt('from', from), riskAt('to', to)]);
        expect(hundredths(told.difference)).toBe(hundredths(told.to) - hundredths(told.from));
        expect(sum(sharesOf(told))).toBe(hundredths(told.difference));
        const { parts } = await divideMove(moves, from, to);
        // Before rounding too: both scores are rounded, and those of the assets before.
        expect(Math.abs(sum(parts.map(({ part }) => part)) - 100 * told.difference)).toBeLessThan(2.001);
        const shuffled = <T>(values: readonly T[]) =>
          values.toSorted((_, b) => ((seed + String(b).length) % 3) - 1);
        const reversed = moves.toReversed().map(({ assetId, from: before, to: after }) => ({
          assetId,
          from: before && { ...before, findings: shuffled(before.findings.toReversed()) },
          to: after && { ...after, findings: before ? after.findings.toReversed() : after.findings },
        }));
        expect(await explainMove(reversed, from, to)).toEqual(told);
        const short = await explainMove(moves, from, to, { limit: 2 });
        expect(short.causes).toEqual(told.causes.slice(0, 2));
        expect(sum(sharesOf(short))).toBe(hundredths(told.difference));
        for (const { what, share } of told.causes) {
          expect(what).not.toBe('');
          expect(Math.abs(share)).toBeLessThan(200);
        }
      }),
      { numRuns: runs(400) },
    );
  }, 120_000);

  it('gives each party the mean of its effects over all orders', async () => {
    await fc.assert(
      fc.asyncProperty(moved, async ({ moves, from, to }) => {
        const staying = moves.filter((move) => move.from && move.to);
        if (staying.length === 0) return;
        const { parts } = await divideMove(staying, from, to);
        const expected = partsByOrders(staying, { from, to });
        for (const party of PARTIES) {
          const own = parts.filter(({ cause }) => PARTY_OF[cause.kind] === party).map(({ part }) => part);
          expect(Math.abs(sum(own) - expected[party])).toBeLessThan(1e-3);
        }
      }),
      { numRuns: runs(200) },
    );
  }, 120_000);

  it('has no cause if nothing happened, and no other cause than what happened', async () => {
    await fc.assert(
      fc.asyncProperty(
        estates,
        knownThreats,
        knownThreats,
        fc.integer({ min: 0, max: 90 }),
        async (estate, known, later, days) => {
          const catalogue = threatCatalogueOf(known);
          const moves = movesOf(estate, estate, []);
          const at = (n: number) => ({ catalogue, at: estate.at + n * 86_400_000 });
          expect((await explainMove(moves, at(0), at(0))).causes).toEqual([]);
          const imported = { catalogue: threatCatalogueOf(later), at: estate.at };
          const { causes } = await explainMove(moves, at(0), imported);
          expect(causes.filter(({ kind }) => kind !== 'catalogue')).toEqual([]);
          const kinds = new Set((await explainMove(moves, at(0), at(days))).causes.map(({ kind }) => kind));
          expect(
            ['asset', 'catalogue', 'acceptance', 'setting'].filter((kind) => kinds.has(kind as 'asset')),
          ).toEqual([]);
          const rated = estate.subjects.map((one) => ({
            ...one,
            asset: { ...one.asset, criticality: 'critical' as const, attackSurface: 'DMZ' },
          }));
          const told = await explainMove(movesOf(estate, { ...estate, subjects: rated }, []), at(0), at(0));
          expect(told.causes.filter(({ kind }) => kind !== 'asset')).toEqual([]);
        },
      ),
      { numRuns: runs(200) },
    );
  }, 120_000);

  it.each<[string, readonly Act['kind'][], 1 | -1]>([
    ['rises by a fix, an acceptance, an end or time', SOFTENING, -1],
    ['falls by a failing finding or a confirmed detection', HARDENING, 1],
  ])(
    'names no cause that %s',
    async (_, kinds, sign) => {
      await fc.assert(
        fc.asyncProperty(
          estates,
          knownThreats,
          fc.array(acts(kinds), { minLength: 1, maxLength: 6 }),
          async (estate, known, happening) => {
            const catalogue = threatCatalogueOf(known);
            const after = happening.reduce(afterAct, estate);
            const told = await explainMove(
              movesOf(estate, after, []),
              { catalogue, at: estate.at },
              { catalogue, at: after.at },
            );
            expect(told.causes.filter(({ share }) => share * sign < 0)).toEqual([]);
          },
        ),
        { numRuns: runs(300) },
      );
    },
    120_000,
  );

  it('is the same with the assets that did not change as a sum', async () => {
    await fc.assert(
      fc.asyncProperty(moved, estates, async ({ moves, from }, { subjects }) => {
        const still = subjects.map((one, i) => ({ ...one, asset: { ...one.asset, id: `still ${i}` } }));
        const to = { ...from, at: from.at };
        const whole = [
          ...moves,
          ...still.map((one): ThreatMove => ({ assetId: one.asset.id, from: one, to: one })),
        ];
        const { organization } = estateRisk(
          { subjects: still, at: from.at },
          from.catalogue,
          DEFAULT_TARGETING,
        );
        const scored = still.filter((one) => assetThreats(one, from.catalogue, from.at).isScored).length;
        expect(organization.assets).toBe(still.length);
        const fourthPowers = still.reduce((total, one) => {
          const { score } = estateRisk(
            { subjects: [one], at: from.at },
            from.catalogue,
            DEFAULT_TARGETING,
          ).organization;
          return total + BigInt(hundredths(score)) ** 4n;
        }, 0n);
        const told = await explainMove(moves, from, to, {
          unchanged: { assets: still.length, scoredAssets: scored, fourthPowers },
        });
        const all = await explainMove(whole, from, to);
        expect([told.from, told.to]).toEqual([all.from, all.to]);
        // Unrounded powers of the others move a part by less than a hundredth and a rounding.
        for (const { kind, id, share } of told.causes) {
          const other = all.causes.find((one) => one.kind === kind && one.id === id);
          expect(Math.abs(share - (other?.share ?? 0))).toBeLessThan(0.5);
        }
      }),
      { numRuns: runs(100) },
    );
  }, 120_000);
});
