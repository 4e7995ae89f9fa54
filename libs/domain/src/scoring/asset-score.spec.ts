import { describe, expect, it } from '@jest/globals';
import {
  AT,
  catalogueOf,
  findingFacts,
  type KnownCatalogue,
  subject,
} from '../../../../test/fixtures/domain/subjects.ts';
import { riskOf, scoreAsset } from './asset-score.ts';

const VECTOR = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';
const score = (findings: Parameters<typeof subject>[0], known: KnownCatalogue = {}) =>
  scoreAsset(subject(findings), catalogueOf(known), AT);

describe('an asset’s score', () => {
  it('says why, with every input: EPSS and its date, KEV, vector and severity', () => {
    const severity = { value: 5, version: null, vector: VECTOR };
    const { contributions } = score([findingFacts('f1', { cves: ['CVE-2024-1111'], severity })], {
      epss: { 'CVE-2024-1111': 0.31 },
      kev: ['CVE-2024-1111'],
    });
    expect(contributions).toEqual([
      {
        findingId: 'f1',
        name: 'Finding f1',
        probability: 0.9,
        share: 90,
        why:
          'CVE-2024-1111: 0.9 within 30 days (EPSS of 2026-05-30 says 0.31, in KEV since 2026-01-15: at least 0.9). ' +
          `Severity 9.8 by ${VECTOR}.`,
      },
    ]);
  });

  it('says the table row, a malformed vector, a technique, and who carries a CVE', () => {
    const malformed = { value: 7.2, version: null, vector: 'AV:N' };
    const { contributions, malformedVectors } = score([
      findingFacts('f1', { cves: ['CVE-2024-1111'], severity: malformed }),
      findingFacts('f2', { cves: ['CVE-2024-1111'], severity: { value: 2, version: null, vector: null } }),
      findingFacts('f3', { techniques: ['T9999', 'T1059'] }),
    ]);
    expect(malformedVectors).toBe(1);
    expect(Object.fromEntries(contributions.map(({ findingId, why }) => [findingId, why]))).toEqual({
      f1:
        'CVE-2024-1111: 0.07 within 30 days (neither EPSS nor KEV knows it; the table says 0.07 for severity high). ' +
        'Severity 7.2 as sent; its CVSS vector is malformed.',
      f2:
        'CVE-2024-1111: 0.01 within 30 days (neither EPSS nor KEV knows it; the table says 0.01 for severity low) ' +
        '(counted once on this asset, with finding f1). Severity 2 as sent.',
      f3:
        'ATT&CK T1059: 0.07 within 30 days (no forecast exists for techniques; the table says 0.07 for severity high). ' +
        'Severity 8 as sent.',
    });
  });

  it('takes EPSS above the 0.9 of KEV, and never a certainty', () => {
    const of = (probability: number) =>
      score([findingFacts('f1', { cves: ['CVE-2024-1111'] })], {
        epss: { 'CVE-2024-1111': probability },
        kev: ['CVE-2024-1111'],
      }).score;
    expect([0, 0.5, 0.95, 1].map(of)).toEqual([90, 90, 95, 99.99]);
  });

  it('lets the first id carry a CVE among equals', () => {
    const findings = ['f2', 'f1', 'f3'].map((id) => findingFacts(id, { cves: ['CVE-2024-1111'] }));
    const shares = score(findings).contributions.map(({ findingId, share }) => [findingId, share]);
    expect(shares).toEqual([
      ['f1', 7],
      ['f2', 0],
      ['f3', 0],
    ]);
  });

  it('names the greatest share first, then by the id of the finding', () => {
    const { contributions } = score(
      [
        findingFacts('f1', { cves: ['CVE-2024-1111'] }),
        findingFacts('f4', { cves: ['CVE-2024-2222'] }),
        findingFacts('f3', { cves: ['CVE-2024-3333'] }),
        findingFacts('f2', { cves: ['CVE-2024-4444'] }),
      ],
      { epss: { 'CVE-2024-1111': 0.01, 'CVE-2024-4444': 0.5 } },
    );
    expect(contributions.map(({ findingId }) => findingId)).toEqual(['f2', 'f3', 'f4', 'f1']);
  });

  it('lists the CVEs of a finding in the order of their ids, also if other findings have them', () => {
    const { contributions } = score([
      findingFacts('f1', { cves: ['CVE-2024-2222'] }),
      findingFacts('f2', { cves: ['CVE-2024-2222', 'CVE-2024-1111'] }),
    ]);
    const { why } = contributions.find(({ findingId }) => findingId === 'f2')!;
    expect(why.match(/CVE-\d+-\d+/g)).toEqual(['CVE-2024-1111', 'CVE-2024-2222']);
  });

  it('is stored without what made it, and is null in both if no finding is mapped', () => {
    const mapped = subject([findingFacts('f1', { cves: ['CVE-2024-1111'] })]);
    expect(riskOf(mapped, catalogueOf(), AT)).toEqual({ score: 7, breachLikelihood: 0.07 });
    const none = { score: null, breachLikelihood: null };
    expect(riskOf(subject([findingFacts('f1')]), catalogueOf(), AT)).toEqual(none);
    expect(score([findingFacts('f1')])).toMatchObject({ ...none, contributions: [], malformedVectors: 0 });
  });

  it('excludes findings that have ended by the instant, to the millisecond (R-SCORE-1)', () => {
    const finding = findingFacts('f1', { cves: ['CVE-2024-1111'], activeUntil: AT + 1 });
    const at = (instant: number) => scoreAsset(subject([finding]), catalogueOf(), instant).score;
    expect([at(AT), at(AT + 1)]).toEqual([7, null]);
  });

  it('loses a rejected CVE’s findings, and has them back once that is corrected', () => {
    const findings = [
      findingFacts('f1', { cves: ['CVE-2024-1111'] }),
      findingFacts('f2', { cves: ['CVE-2024-2222'] }),
    ];
    const under = (state: string) => score(findings, { states: { 'CVE-2024-1111': state } }).score;
    expect([under('PUBLISHED'), under('REJECTED'), under('PUBLISHED')]).toEqual([13.51, 7, 13.51]);
  });

  it('stays bounded and quick for 20,000 findings, and says at most ten CVEs of one', () => {
    const cve = (i: number) => `CVE-2024-${100_000 + i}`;
    const many = Array.from({ length: 20_000 }, (_, i) => findingFacts(`f${i}`, { cves: [cve(i)] }));
    const one = findingFacts('f', { cves: Array.from({ length: 12 }, (_, i) => cve(50_000 + i)) });
    const { score: value, contributions } = score([...many, one]);
    expect(value).toBe(100);
    expect(contributions.reduce((sum, { share }) => sum + Math.round(share * 100), 0)).toBe(10_000);
    expect(contributions.find(({ findingId }) => findingId === 'f')!.why).toContain('; 2 more CVEs. ');
  });
});
