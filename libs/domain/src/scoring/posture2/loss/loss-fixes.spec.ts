import { describe, expect, it } from '@jest/globals';
import { addLossSums, estimatedLoss, lossSumsOf, NO_LOSS_SUMS } from './estimated-loss.ts';
import { avoidedLoss, lossFigures } from './loss-figures.ts';
import { type LossEffects, likelyFixes } from './loss-fixes.ts';
import { type LossAsset, simulateYears } from './simulate-loss.ts';

const RANGE = { min: 1_000, max: 100_000 };
const many = (count: number, hazard: number): LossAsset[] =>
  Array.from({ length: count }, (_, i) => ({
    id: `a${i}`,
    hazard: hazard * (1 + (i % 7)),
    range: i % 10 === 0 ? null : RANGE,
  }));
const sumsOf = (assets: LossAsset[]) => assets.map(lossSumsOf).reduce(addLossSums, NO_LOSS_SUMS);

describe('the estimate', () => {
  it('is near the mean of the simulated years', () => {
    const assets = many(2_000, 0.001);
    const { mean, standardError } = lossFigures(simulateYears(assets, 3n));
    const estimate = estimatedLoss(sumsOf(assets));
    expect(Math.abs(mean - estimate)).toBeLessThan(3 * standardError + 0.05 * estimate);
  });

  it('is 0 without hazards, and without ranges', () => {
    expect(estimatedLoss(NO_LOSS_SUMS)).toBe(0);
    expect(estimatedLoss(sumsOf(many(9, 0)))).toBe(0);
    expect(estimatedLoss(lossSumsOf({ hazard: 1, range: null }))).toBe(0);
  });
});

describe('the fixes with the greatest estimated avoided loss', () => {
  const effects: LossEffects[] = many(200, 0.01).map(({ id, hazard, range }) => ({
    assetId: id,
    hazard,
    range,
    fixes: [
      { kind: 'finding', id: `of ${id}`, name: 'hole', hazard: 0 },
      { kind: 'finding', id: `without effect on ${id}`, name: 'hole', hazard },
      { kind: 'cve', id: 'CVE-1', name: null, hazard: hazard / 2 },
      { kind: 'cve', id: id === 'a1' ? 'CVE-2' : 'CVE-3', name: null, hazard: hazard * 0.9 },
    ],
  }));
  const whole = sumsOf(many(200, 0.01));

  it('are the best findings and CVEs, the best first', async () => {
    const fixes = await likelyFixes(effects, whole, 2);
    expect(fixes.map(({ kind, id, assets }) => [kind, id, assets])).toEqual([
      ['finding', 'of a104', 1],
      ['finding', 'of a111', 1],
      ['cve', 'CVE-1', 200],
      ['cve', 'CVE-3', 199],
    ]);
  });

  it('do not depend on the order of assets', async () => {
    expect(await likelyFixes([...effects].reverse(), whole, 3)).toEqual(await likelyFixes(effects, whole, 3));
  });

  it('are those that avoid most in simulated years, too', async () => {
    const assets = many(200, 0.01);
    const years = simulateYears(assets, 5n);
    const avoidedBy = (hazardOf: (asset: LossAsset) => number) =>
      avoidedLoss(
        years,
        simulateYears(
          assets.map((one) => ({ ...one, hazard: hazardOf(one) })),
          5n,
        ),
      );
    const halved = avoidedBy(({ hazard }) => hazard / 2);
    const lowered = avoidedBy(({ id, hazard }) => (id === 'a1' ? hazard : hazard * 0.9));
    expect([halved.isDifferent, halved.mean > lowered.mean]).toEqual([true, true]);
  });

  it('leave out what has no effect', async () => {
    const none = effects.map((one) => ({
      ...one,
      fixes: one.fixes.map((fix) => ({ ...fix, hazard: one.hazard })),
    }));
    expect(await likelyFixes(none, whole, 10)).toEqual([]);
  });
});
