import { describe, expect, it } from '@jest/globals';
import { attackTechnique } from '#libs/catalogue';
import { DEMO_AT, demoAssets } from '../../../../test/support/demo-assets.ts';
import { scoreAsset } from './asset-score.ts';
import { addRiskSums, EMPTY_RISK_SUM, groupScore, riskSumOf } from './group-score.ts';
import type { ScoringCatalogue } from './scoring-catalogue.ts';
import { findingFactsOf, type ScoringSubject } from './scoring-facts.ts';

const demoSubjects = (): ScoringSubject[] =>
  demoAssets().map(({ asset, findings }) => ({
    asset,
    findings: findings.map(({ finding, seen }) => findingFactsOf(finding, seen)),
  }));

const NO_CATALOGUES: ScoringCatalogue = {
  techniqueOf: attackTechnique,
  cveStateOf: () => undefined,
  epssOf: () => undefined,
  kevOf: () => undefined,
};

/** Forecasts with a realistic distribution: one CVE of ten exploited, the others at 0.1 to 3 percent. */
const WITH_CATALOGUES: ScoringCatalogue = {
  ...NO_CATALOGUES,
  epssOf: (cve) => ({ probability: 0.001 * (1 + (hashOf(cve) % 30)), date: '2026-05-30' }),
  kevOf: (cve) => (hashOf(cve) % 10 === 0 ? { dateAdded: '2025-01-01' } : undefined),
};

const hashOf = (text: string) => [...text].reduce((hash, char) => (hash * 31 + char.charCodeAt(0)) % 9973, 7);

describe('the demo organization', () => {
  const subjects = demoSubjects();

  it.each([
    ['without catalogues', NO_CATALOGUES],
    ['with EPSS and KEV', WITH_CATALOGUES],
  ])('%s: scores spread at least 40 points between the 10th and the 90th percentile', (_, catalogue) => {
    const results = subjects.map((one) => scoreAsset(one, catalogue, DEMO_AT));
    const scores = results.flatMap(({ score }) => score ?? []).sort((a, b) => a - b);
    const percentile = (p: number) => scores[Math.round((p / 100) * (scores.length - 1))]!;
    expect(scores.length).toBeGreaterThan(300);
    expect(percentile(90) - percentile(10)).toBeGreaterThanOrEqual(40);
    // Most are well kept, and look it; the organization is between its median and its worst.
    expect(percentile(50)).toBeLessThan(25);
    const { score } = groupScore(results.map(riskSumOf).reduce(addRiskSums, EMPTY_RISK_SUM));
    expect(score).toBeGreaterThan(percentile(50));
    expect(score).toBeLessThan(percentile(95));
  });

  it('has shares that add up, and no malformed vector', () => {
    for (const one of subjects) {
      const { score, contributions, malformedVectors } = scoreAsset(one, NO_CATALOGUES, DEMO_AT);
      const shares = contributions.reduce((sum, { share }) => sum + Math.round(share * 100), 0);
      expect(shares).toBe(Math.round((score ?? 0) * 100));
      expect(malformedVectors).toBe(0);
    }
  });
});
