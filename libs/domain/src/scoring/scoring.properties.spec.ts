import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AT, catalogueOf, findingFacts, subject } from '../../../../test/fixtures/domain/subjects.ts';
import type { FindingState } from '../state.ts';
import { scoreAsset } from './asset-score.ts';
import { bestFixes, type Fix } from './best-fixes.ts';
import { explainMove } from './explain/explain-move.ts';
import {
  addRiskSums,
  EMPTY_RISK_SUM,
  groupScore,
  type RiskSum,
  riskSumOf,
  subtractRiskSum,
} from './group-score.ts';
import type { FindingFacts, ScoringSubject } from './scoring-facts.ts';
import { applyWhatIf } from './what-if.ts';

const CVES = ['CVE-2024-0001', 'CVE-2024-0002', 'CVE-2024-0003', 'CVE-2024-0004', 'CVE-2024-0005', 'CVE-1'];
const STATES: FindingState[] = [
  'Failed',
  'Failed',
  'Failed',
  'Qualified',
  'NotAssessed',
  'AcceptedFailed',
  'Retired',
];
const VECTORS = [
  null,
  'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:L/A:N',
  'AV:L/AC:L/Au:N/C:N/I:P/A:C',
  'CVSS:3.1/AV:N/AC:L',
];

const probability = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 100_000 }).map((n) => n / 100_000) },
  { weight: 1, arbitrary: fc.constantFrom(0, 1, 1e-5) },
);

const catalogue = fc
  .record({
    epss: fc.dictionary(fc.constantFrom(...CVES), probability),
    kev: fc.subarray(CVES),
    states: fc.dictionary(fc.constantFrom(...CVES), fc.constantFrom('PUBLISHED', 'REJECTED', 'Disputed')),
  })
  .map(catalogueOf);

const level = fc.constantFrom(
  null,
  'critical' as const,
  'high' as const,
  'medium' as const,
  'low' as const,
  'info' as const,
);

const finding = (prefix = ''): fc.Arbitrary<FindingFacts> =>
  fc
    .record({
      number: fc.integer({ min: 1, max: 99 }),
      state: fc.constantFrom(...STATES),
      value: fc.integer({ min: 0, max: 100 }).map((n) => n / 10),
      vector: fc.constantFrom(...VECTORS),
      cves: fc.subarray(CVES, { maxLength: 3 }),
      techniques: fc.subarray(['T1059', 'T9999']),
      isExpired: fc.boolean(),
    })
    .map(({ number, state, value, vector, cves, techniques, isExpired }) =>
      findingFacts(`${prefix}f${number}`, {
        state,
        severity: { value, version: null, vector },
        cves,
        techniques,
        activeUntil: isExpired && number % 5 === 0 ? AT : AT + 1,
      }),
    );

const assetWith = (id: string): fc.Arbitrary<ScoringSubject> =>
  fc
    .record({
      findings: fc.uniqueArray(finding(`${id}-`), { selector: ({ id }) => id, maxLength: 7 }),
      criticality: level,
      confidentialityRequirement: level,
    })
    .map(({ findings, ...asset }) => subject(findings, { id, ...asset }));

const asset = assetWith('a');
const organization = fc
  .integer({ min: 0, max: 5 })
  .chain((n) => fc.tuple(...Array.from({ length: n }, (_, i) => assetWith(`a${i}`))));

const isCounted = ({ state, activeUntil }: FindingFacts) => state === 'Failed' && activeUntil > AT;
const hundredths = (points: number) => Math.round(points * 100);
const sumOf = (subjects: readonly ScoringSubject[], cat: ReturnType<typeof catalogueOf>): RiskSum =>
  subjects.map((one) => riskSumOf(scoreAsset(one, cat, AT))).reduce(addRiskSums, EMPTY_RISK_SUM);
const shuffled = <T>(values: readonly T[], seed: number): T[] =>
  values
    .map((value, i) => ({ value, key: Math.sin(seed + i * 7.3) }))
    .sort((a, b) => a.key - b.key)
    .map(({ value }) => value);

describe('the score of an asset', () => {
  it('lies in [0, 100], its likelihood in [0, 1], and its shares add up to it (R-SCORE-8)', () => {
    fc.assert(
      fc.property(asset, catalogue, (one, cat) => {
        const { score, breachLikelihood, contributions } = scoreAsset(one, cat, AT);
        if (score === null) return expect(contributions).toEqual([]);
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(100);
        expect(hundredths(score) / 100).toBe(score);
        expect(breachLikelihood).toBeGreaterThanOrEqual(0);
        expect(breachLikelihood).toBeLessThanOrEqual(1);
        const shares = contributions.map(({ share }) => hundredths(share));
        expect(shares.every((share, i) => share >= 0 && share / 100 === contributions[i]!.share)).toBe(true);
        expect(shares.reduce((a, b) => a + b, 0)).toBe(hundredths(score));
      }),
      { numRuns: 1000 },
    );
  });

  it('is the same, words and all, in any order of findings, CVEs and techniques', () => {
    fc.assert(
      fc.property(asset, catalogue, fc.nat(), (one, cat, seed) => {
        const other = {
          ...one,
          findings: shuffled(one.findings, seed).map((finding) => ({
            ...finding,
            cves: shuffled(finding.cves, seed),
            techniques: shuffled(finding.techniques, seed),
          })),
        };
        expect(scoreAsset(other, cat, AT)).toEqual(scoreAsset(one, cat, AT));
      }),
      { numRuns: 500 },
    );
  });

  it('never falls when a failed counted finding is added, and never rises when one is fixed or accepted', () => {
    fc.assert(
      fc.property(asset, finding('new-'), catalogue, (one, added, cat) => {
        const before = scoreAsset(one, cat, AT).score ?? 0;
        const failed: FindingFacts = { ...added, state: 'Failed' };
        const after = scoreAsset({ ...one, findings: [...one.findings, failed] }, cat, AT);
        expect(after.score ?? 0).toBeGreaterThanOrEqual(before);
        for (const { id } of one.findings) {
          for (const change of [{ fixed: new Set([id]) }, { accepted: new Set([id]) }]) {
            const better = scoreAsset(applyWhatIf(one, change, cat), cat, AT);
            expect(better.score === null).toBe(scoreAsset(one, cat, AT).score === null);
            expect(better.score ?? 0).toBeLessThanOrEqual(before);
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  it('is null exactly if no active finding carries a valid mapping (R-SCORE-2)', () => {
    fc.assert(
      fc.property(asset, catalogue, (one, cat) => {
        const isValid = (cve: string) =>
          cve !== 'CVE-1' && [undefined, 'PUBLISHED'].includes(cat.cveStateOf(cve));
        const isMapped = ({ state, activeUntil, techniques, cves }: FindingFacts) =>
          state !== 'Retired' && activeUntil > AT && (techniques.includes('T1059') || cves.some(isValid));
        expect(scoreAsset(one, cat, AT).score !== null).toBe(one.findings.some(isMapped));
      }),
      { numRuns: 1000 },
    );
  });

  it('agrees with 1 − Π(1 − p) multiplied out, within rounding', () => {
    fc.assert(
      fc.property(fc.array(probability, { minLength: 1, maxLength: 6 }), (ps) => {
        const epss = Object.fromEntries(ps.map((p, i) => [`CVE-2024-000${i}`, p]));
        const one = subject(Object.keys(epss).map((cve) => findingFacts(cve, { cves: [cve] })));
        const product = 1 - ps.reduce((rest, p) => rest * (1 - Math.min(p, 0.9999)), 1);
        const { breachLikelihood, score } = scoreAsset(one, catalogueOf({ epss }), AT);
        expect(breachLikelihood).toBeCloseTo(product, 5);
        expect(Math.abs(score! - 100 * product)).toBeLessThan(0.0051);
      }),
    );
  });
});

describe('the score of a group', () => {
  it('is mergeable and independent of the order, is between mean and maximum, and keeps nothing of removed assets', () => {
    fc.assert(
      fc.property(organization, catalogue, fc.nat(), (assets, cat, seed) => {
        const scores = assets.flatMap((one) => scoreAsset(one, cat, AT).score ?? []);
        const whole = sumOf(assets, cat);
        const { score } = groupScore(whole);
        expect(sumOf(shuffled(assets, seed), cat)).toEqual(whole);
        const half = assets.length >> 1;
        expect(addRiskSums(sumOf(assets.slice(half), cat), sumOf(assets.slice(0, half), cat))).toEqual(whole);
        expect(subtractRiskSum(whole, sumOf(assets.slice(0, half), cat))).toEqual(
          sumOf(assets.slice(half), cat),
        );
        if (scores.length === 0) return expect(score).toBeNull();
        expect(score!).toBeGreaterThanOrEqual(scores.reduce((a, b) => a + b, 0) / scores.length - 0.0051);
        expect(score!).toBeLessThanOrEqual(Math.max(...scores));
      }),
      { numRuns: 300 },
    );
  });
});

describe('the best fixes', () => {
  it('equal a brute-force search on 1,000 random small organizations', async () => {
    await fc.assert(
      fc.asyncProperty(organization, catalogue, async (assets, cat) => {
        const fixes = await bestFixes(assets, cat, AT);
        expect(fixes.score).toBe(groupScore(sumOf(assets, cat)).score);
        const powersAfter = (change: Parameters<typeof applyWhatIf>[1]) =>
          sumOf(
            assets.map((one) => applyWhatIf(one, change, cat)),
            cat,
          ).fourthPowers;
        const scoreAfter = (change: Parameters<typeof applyWhatIf>[1]) =>
          groupScore(
            sumOf(
              assets.map((one) => applyWhatIf(one, change, cat)),
              cat,
            ),
          ).score;
        const findings = assets.flatMap(({ findings }) => findings.filter(isCounted).map(({ id }) => id));
        const cves = [...new Set(assets.flatMap(({ findings }) => findings.flatMap(({ cves }) => cves)))];
        checkAgainst(
          fixes.findings,
          findings.map((id) => ({ id, change: { fixed: new Set([id]) } })),
        );
        checkAgainst(
          fixes.cves,
          cves.map((id) => ({ id, change: { fixedCves: new Set([id]) } })),
        );

        function checkAgainst(
          found: Fix[],
          tried: { id: string; change: Parameters<typeof applyWhatIf>[1] }[],
        ) {
          const before = sumOf(assets, cat).fourthPowers;
          const byHand = tried.map(({ id, change }) => ({
            id,
            powers: powersAfter(change),
            score: scoreAfter(change),
          }));
          const best = byHand
            .map(({ powers }) => powers)
            .filter((powers) => powers < before)
            .sort((a, b) => (a < b ? -1 : Number(a > b)));
          const handOf = new Map(byHand.map((one) => [one.id, one]));
          // Every effect that shows, the greatest ten, in their order; those named have just the effect that they claim.
          const shown = found.map(({ id }) => handOf.get(id)!.powers);
          expect(shown.filter((powers) => powers < before)).toEqual(best.slice(0, 10));
          for (const fix of found) expect(fix.scoreAfter).toBe(handOf.get(fix.id)!.score);
          expect(found.length).toBeLessThanOrEqual(10);
        }
      }),
      { numRuns: 1000 },
    );
  }, 120_000);

  it('do not depend on the order of assets and findings', async () => {
    await fc.assert(
      fc.asyncProperty(organization, catalogue, fc.nat(), async (assets, cat, seed) => {
        const other = shuffled(assets, seed).map((one) => ({
          ...one,
          findings: shuffled(one.findings, seed),
        }));
        const few = { limit: 3 };
        expect(await bestFixes(other, cat, AT, few)).toEqual(await bestFixes(assets, cat, AT, few));
      }),
      { numRuns: 200 },
    );
  });
});

describe('the explanation of a move', () => {
  const moved = fc.record({
    before: organization,
    after: organization,
    keep: fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
    fromCatalogue: catalogue,
    toCatalogue: catalogue,
    isSameCatalogue: fc.boolean(),
    seed: fc.nat(),
  });

  it('has shares that add up to the difference, in any order of moves, and none if nothing moved', async () => {
    await fc.assert(
      fc.asyncProperty(
        moved,
        async ({ before, after, keep, fromCatalogue, toCatalogue, isSameCatalogue, seed }) => {
          const from = { catalogue: fromCatalogue, at: AT };
          const to = { catalogue: isSameCatalogue ? fromCatalogue : toCatalogue, at: AT };
          const moves = ['a0', 'a1', 'a2', 'a3', 'a4'].map((assetId, i) => {
            const old = before.find(({ asset }) => asset.id === assetId) ?? null;
            return {
              assetId,
              from: old,
              to: keep[i] ? old : (after.find(({ asset }) => asset.id === assetId) ?? null),
            };
          });
          const told = await explainMove(moves, from, to);
          const present = (side: 'from' | 'to') => moves.flatMap((move) => move[side] ?? []);
          expect(told.from).toBe(groupScore(sumOf(present('from'), from.catalogue)).score);
          expect(told.to).toBe(groupScore(sumOf(present('to'), to.catalogue)).score);
          expect(hundredths(told.difference)).toBe(hundredths(told.to ?? 0) - hundredths(told.from ?? 0));
          const shares = told.causes.map(({ share }) => hundredths(share));
          expect(shares.reduce((a, b) => a + b, 0)).toBe(hundredths(told.difference));
          expect(shares.every(Number.isFinite)).toBe(true);
          if (isSameCatalogue) expect(told.causes.filter(({ kind }) => kind === 'catalogue')).toEqual([]);
          if (isSameCatalogue && keep.every(Boolean)) expect(told.causes).toEqual([]);
          expect(await explainMove(shuffled(moves, seed), from, to)).toEqual(told);

          const short = await explainMove(moves, from, to, { limit: 2 });
          const named = short.causes.reduce((sum, { share }) => sum + hundredths(share), 0);
          expect(named + hundredths(short.others.share)).toBe(hundredths(told.difference));
          expect(short.causes.length + short.others.causes).toBe(told.causes.length);
        },
      ),
      { numRuns: 500 },
    );
  }, 60_000);
});
