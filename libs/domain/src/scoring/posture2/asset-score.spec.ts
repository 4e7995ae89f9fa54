import { describe, expect, it } from '@jest/globals';
import { AT } from '../../../../../test/fixtures/domain/subjects.ts';
import {
  assessedFinding,
  type KnownThreats,
  threatCatalogueOf,
  threatenedSubject,
} from '../../../../../test/fixtures/domain/threatened-subjects.ts';
import { scoreAsset as scoreByPosture1 } from '../asset-score.ts';
import type { ContributionRange } from '../contribution-range.ts';
import { isScoringModel, SCORING_MODEL, SCORING_MODELS } from '../scoring-model.ts';
import { scoreAsset } from './asset-score.ts';
import type { AssessedFinding } from './facts.ts';
import { bandOf } from './risk-points.ts';
import { DEFAULT_TARGETING } from './targeting.ts';

const [CVE, OTHER] = ['CVE-2024-1111', 'CVE-2024-2222'];
const NETWORK = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';
const score = (findings: AssessedFinding[], known: KnownThreats = {}) =>
  scoreAsset(threatenedSubject(findings), threatCatalogueOf(known), AT);
const severity = { value: 9.8, version: null, vector: NETWORK };

describe('a score of posture-2', () => {
  it('states why, with every input', () => {
    const { contributions } = score([assessedFinding('f1', { cves: [CVE], severity })], {
      epss: { [CVE]: 0.31 },
      ransomware: [CVE],
    });
    expect(contributions).toEqual([
      {
        findingId: 'f1',
        name: 'Finding f1',
        likelihood: 0.000240318,
        share: 48.3,
        why:
          'CVE-2024-1111: 0.95 worldwide within 30 days (EPSS of 2026-05-30 is 0.31, in KEV since 2026-01-15, used by ' +
          'ransomware); reach 0.2 (network), controls 1 for T1190, impact 100 of 100; 0.0240 % on this asset.',
      },
    ]);
  });

  it('states one obstacle of the CVSS vector as one', () => {
    const vector = NETWORK.replace('AC:L', 'AC:H');
    const { contributions } = score([
      assessedFinding('f1', { cves: [CVE], severity: { ...severity, vector } }),
    ]);
    expect(contributions[0]!.why).toContain('(neither EPSS nor KEV, 1 obstacle in the CVSS vector)');
  });

  it('states what stands in for a forecast, a detection, and who carries a CVE', () => {
    const { contributions } = score([
      assessedFinding('f1', { cves: [CVE], severity }),
      assessedFinding('f2', { cves: [CVE], severity: { value: 5, version: null, vector: 'AV:N' } }),
      assessedFinding('f3', { techniques: ['T1059', 'T9999'] }),
      assessedFinding('f4', {
        type: 'edr',
        techniques: ['T1486'],
        detections: [{ state: 'confirmed', closedAt: null }],
      }),
    ]);
    const why = Object.fromEntries(contributions.map((one) => [one.findingId, one.why]));
    expect(why.f1).toContain('(neither EPSS nor KEV, 0 obstacles in the CVSS vector)');
    expect(why.f2).toContain('(neither EPSS nor KEV, severity 5, malformed CVSS vector)');
    expect(why.f2).toContain('Counted once on this asset, with finding f1.');
    expect(why.f3).toContain(
      'ATT&CK T1059: 0.03 worldwide within 30 days (no forecast for techniques, severity 8)',
    );
    expect(why.f4).toBe(
      'Detection (confirmed) of ATT&CK T1486, tactic weight 1: 60.0 % within 30 days (30.0 % to 90.0 %).',
    );
  });

  it('states the factor of an EDR platform', () => {
    const subject = threatenedSubject([assessedFinding('f1', { cves: [CVE], severity })], {
      isEdrManaged: true,
    });
    const { contributions } = scoreAsset(subject, threatCatalogueOf({}), AT);
    expect(contributions[0]!.why).toContain('controls 1 for T1190, EDR 0.6, impact 100 of 100');
  });

  it('states the impact that counts of a CVE, also if it is that of a finding with less hazard', () => {
    const local = 'CVSS:3.1/AV:L/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';
    const { contributions } = score(
      [
        assessedFinding('f1', { cves: [CVE], severity: { value: 2, version: null, vector: null } }),
        assessedFinding('f2', { cves: [CVE], severity: { value: 2, version: null, vector: local } }),
        assessedFinding('f3', { cves: [OTHER], severity: { value: 2, version: null, vector: null } }),
      ],
      { kev: [CVE, OTHER] },
    );
    const why = Object.fromEntries(contributions.map((one) => [one.findingId, one.why]));
    expect(why.f1).toContain('impact 100 of 100, that of another finding with the CVE (its own is 20);');
    expect(why.f2).toContain('impact 100 of 100;');
    expect(why.f2).toContain('Counted once on this asset, with finding f1.');
    expect(why.f3).toContain('impact 20 of 100;');
  });

  it('states the ages of closed detections, in whole weeks', () => {
    const WEEK_MS = 7 * 86_400_000;
    const closed = (weeks: number) => ({ state: 'resolved', closedAt: AT - weeks * WEEK_MS }) as const;
    const { contributions } = score([
      assessedFinding('f1', {
        type: 'edr',
        techniques: ['T1486'],
        detections: [closed(5.5), closed(5), closed(1), closed(40), closed(0), closed(12)],
      }),
    ]);
    expect(contributions[0]!.why).toMatch(
      /^Detection \(resolved, resolved 1 week ago, resolved 12 or more weeks ago, resolved 5 weeks ago\) of/,
    );
  });

  it('gives no share to a finding whose CVEs others carry, and its own likelihood all the same', () => {
    const { score: points, contributions } = score([
      assessedFinding('f1', { cves: [CVE], severity }),
      assessedFinding('f2', { cves: [CVE], severity }),
      assessedFinding('f3', { cves: [OTHER], severity }),
    ]);
    const [first, second, third] = contributions;
    expect([first!.findingId, second!.findingId, third!.share]).toEqual(['f1', 'f3', 0]);
    expect(first!.share + second!.share).toBeCloseTo(points!, 10);
    expect(third!.likelihood).toBe(first!.likelihood);
  });

  it('names ten CVEs of a finding at most, and stays quick with 5,000 findings', () => {
    const cve = (i: number) => `CVE-2024-${10_000 + i}`;
    const many = Array.from({ length: 5_000 }, (_, i) =>
      assessedFinding(`f${i}`, { cves: [cve(i)], severity }),
    );
    const one = assessedFinding('f', { cves: Array.from({ length: 12 }, (_, i) => cve(9_000 + i)) });
    const { score: points, contributions } = score([...many, one]);
    expect(contributions.find(({ findingId }) => findingId === 'f')!.why).toMatch(/ 2 more CVEs\.$/);
    expect(contributions.reduce((sum, { share }) => sum + Math.round(share * 100), 0)).toBe(points! * 100);
  });

  it('returns a range of its contributions: ranges one after the other are all of them, by both models', () => {
    const findings = Array.from({ length: 25 }, (_, i) =>
      assessedFinding(`f${i}`, { cves: [`CVE-2024-${1_000 + (i % 20)}`], severity }),
    );
    const subject = threatenedSubject(findings);
    const catalogue = threatCatalogueOf({ kev: ['CVE-2024-1003'] });
    type Scored = { contributionCount: number; contributions: { findingId: string; share: number }[] };
    const models: ((range?: ContributionRange) => Scored)[] = [
      (range?: ContributionRange) => scoreAsset(subject, catalogue, AT, DEFAULT_TARGETING, range),
      (range?: ContributionRange) => scoreByPosture1(subject, catalogue, AT, range),
    ];
    for (const scored of models) {
      const { contributions, ...whole } = scored();
      expect(whole.contributionCount).toBe(25);
      const pages: typeof contributions = [];
      for (let after: ContributionRange['after'] = null; ; ) {
        const { contributions: page, ...summary }: Scored = scored({ after, limit: 4 });
        expect(summary).toEqual(whole);
        pages.push(...page);
        if (page.length < 4) break;
        const { share, findingId } = page.at(-1)!;
        after = { share: Math.round(share * 100), findingId };
      }
      expect(pages).toEqual(contributions);
    }
  });

  it('names its model and its band; null has neither score nor band', () => {
    expect(score([assessedFinding('f1', { type: 'edr', techniques: ['T1486'] })])).toMatchObject({
      model: 'posture-2',
      band: 'evidence',
      breachLikelihood: 0.15,
    });
    expect(score([assessedFinding('f1')])).toEqual({
      model: 'posture-2',
      score: null,
      band: null,
      breachLikelihood: null,
      likelihoods: null,
      contributions: [],
      contributionCount: 0,
      malformedVectors: 0,
    });
    expect([0, 34.99, 35, 55, 79.99, 80, 100].map(bandOf)).toEqual([
      'hygiene',
      'hygiene',
      'likely',
      'exposed',
      'exposed',
      'evidence',
      'evidence',
    ]);
  });
});

describe('the model', () => {
  it('is selected by name; posture-1 is in force and scores as before', () => {
    expect([SCORING_MODEL, ...SCORING_MODELS]).toEqual(['posture-1', 'posture-1', 'posture-2']);
    expect(['posture-1', 'posture-2', 'posture-3', ''].map(isScoringModel)).toEqual([
      true,
      true,
      false,
      false,
    ]);
    const subject = threatenedSubject([assessedFinding('f1', { cves: [CVE], severity })]);
    const catalogue = threatCatalogueOf({ kev: [CVE] });
    const scores = [scoreByPosture1, scoreAsset].map((scored) => scored(subject, catalogue, AT));
    expect(scores.map(({ model, score }) => [model, score])).toEqual([
      ['posture-1', 90],
      ['posture-2', 46.67],
    ]);
  });
});
