import { describe, expect, it } from '@jest/globals';
import { attackTechnique } from '#libs/catalogue';
import { DEMO_AT, demoAssets } from '../../../../../test/support/demo-assets.ts';
import { threatenedAssetOf } from './asset-facts.ts';
import { assetRisk } from './asset-risk.ts';
import { assetThreats } from './asset-threats.ts';
import type { ThreatCatalogue, ThreatenedSubject } from './facts.ts';
import { assessedFindingOf } from './finding-facts.ts';
import { addGroupSums, EMPTY_GROUP_SUMS, groupRisk, groupSumsOf } from './group-risk.ts';
import { DEFAULT_TARGETING } from './targeting.ts';

const hashOf = (text: string) => [...text].reduce((hash, char) => (hash * 31 + char.charCodeAt(0)) % 9973, 7);

/** As on the real list: 73 % of the demo's CVEs in KEV, a fifth of these used by ransomware; EPSS of 0.1 to 97 %. */
const CATALOGUE: ThreatCatalogue = {
  techniqueOf: attackTechnique,
  cveStateOf: () => undefined,
  epssOf: (cve) => ({ probability: 0.001 * (1 + (hashOf(`${cve}e`) % 970)), date: '2026-05-30' }),
  kevOf: (cve) =>
    hashOf(cve) % 100 < 73
      ? { dateAdded: '2025-01-01', isUsedByRansomware: hashOf(`${cve}r`) % 5 === 0 }
      : undefined,
};

const SUBJECTS: ThreatenedSubject[] = demoAssets().map(({ asset, findings }) => ({
  asset: {
    ...threatenedAssetOf(asset),
    isEdrManaged: findings.some(({ finding }) => finding.type === 'edr'),
  },
  findings: findings.map(({ finding, seen }) => assessedFindingOf(finding, seen)),
}));
const risks = SUBJECTS.map((subject) =>
  assetRisk(assetThreats(subject, CATALOGUE, DEMO_AT), subject.asset, DEFAULT_TARGETING),
);

describe('the demo organization, with most of its CVEs in KEV', () => {
  const scores = risks.flatMap(({ score }) => (score === null ? [] : [score / 100])).sort((a, b) => a - b);

  it('is ranked also where all is bad: at most a fifth of the assets are within five points of the top', () => {
    expect(scores.length).toBeGreaterThan(300);
    const top = scores.at(-1)!;
    expect(scores.filter((score) => score >= top - 5).length).toBeLessThanOrEqual(scores.length / 5);
    const deciles = Array.from({ length: 11 }, (_, i) => scores[Math.round((i / 10) * (scores.length - 1))]!);
    // Spread over the whole scale, the median among what is exploited and inside.
    expect(deciles[1]).toBeLessThan(10);
    expect(deciles[5]).toBeGreaterThan(35);
    expect(deciles[5]).toBeLessThan(55);
    expect(deciles[10]! - deciles[8]!).toBeGreaterThan(20);
    expect(new Set(scores).size).toBeGreaterThan(scores.length / 4);
  });

  it('shows its forecast beside its confirmed detections', () => {
    const group = groupRisk(risks.map(groupSumsOf).reduce(addGroupSums, EMPTY_GROUP_SUMS), DEFAULT_TARGETING);
    const { whole, forecast, evidence } = group.likelihoods!;
    expect(forecast.best).toBeLessThan(0.1 * 1e9);
    expect(evidence.best).toBeGreaterThan(forecast.best);
    expect(whole.best).toBeGreaterThanOrEqual(evidence.best);
    expect(group.expectedCompromised!.best).toBeGreaterThan(whole.best / 1e9);
  });
});
