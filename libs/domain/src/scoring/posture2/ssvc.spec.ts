import { describe, expect, it } from '@jest/globals';
import { AT } from '../../../../../test/fixtures/domain/subjects.ts';
import {
  assessedFinding,
  type KnownThreats,
  threatCatalogueOf,
  threatenedAsset,
} from '../../../../../test/fixtures/domain/threatened-subjects.ts';
import type { AssessedFinding, ThreatenedAsset } from './facts.ts';
import { findingDecision, missionOf, ssvcDecision } from './ssvc.ts';
import { SSVC_DECISIONS } from './ssvc-decisions.ts';

const [CVE, OTHER, THIRD] = ['CVE-2024-1111', 'CVE-2024-2222', 'CVE-2024-3333'];
const severityOf = (vector: string | null, value = 5) => ({ value, version: null, vector });
const decide = (
  given: Partial<AssessedFinding> = {},
  known: KnownThreats = {},
  asset: Partial<ThreatenedAsset> = {},
) =>
  findingDecision(
    assessedFinding('f1', { cves: [CVE], ...given }),
    threatenedAsset(asset),
    threatCatalogueOf(known),
    AT,
  );

describe('the SSVC decision', () => {
  it('never falls with any of its inputs', () => {
    const rank = (...inputs: [number, number, number, number]) =>
      SSVC_DECISIONS.indexOf(
        ssvcDecision({
          exploitation: (['none', 'poc', 'active'] as const)[inputs[0]]!,
          automatable: inputs[1] === 1,
          technicalImpact: (['partial', 'total'] as const)[inputs[2]]!,
          mission: (['low', 'medium', 'high'] as const)[inputs[3]]!,
        }),
      );
    for (const e of [0, 1, 2]) {
      for (const a of [0, 1]) {
        for (const i of [0, 1]) {
          for (const m of [0, 1, 2]) {
            const own = rank(e, a, i, m);
            if (e < 2) expect(rank(e + 1, a, i, m)).toBeGreaterThanOrEqual(own);
            if (a < 1) expect(rank(e, 1, i, m)).toBeGreaterThanOrEqual(own);
            if (i < 1) expect(rank(e, a, 1, m)).toBeGreaterThanOrEqual(own);
            if (m < 2) expect(rank(e, a, i, m + 1)).toBeGreaterThanOrEqual(own);
          }
        }
      }
    }
  });

  it.each<[string, Partial<AssessedFinding>, KnownThreats, string]>([
    ['nothing', {}, {}, 'none'],
    ['EPSS below 0.1', {}, { epss: { [CVE]: 0.0999 } }, 'none'],
    ['EPSS from 0.1 on', {}, { epss: { [CVE]: 0.1 } }, 'poc'],
    ['E:P', { severity: severityOf('CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H/E:P') }, {}, 'poc'],
    [
      'E:A',
      { severity: severityOf('CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N/E:A') },
      {},
      'active',
    ],
    ['KEV', {}, { epss: { [CVE]: 0.01 }, kev: [CVE] }, 'active'],
  ])('takes exploitation from %s', (_, given, known, exploitation) => {
    expect(decide(given, known)).toMatchObject({ exploitation });
  });

  it('is automatable if the vector is and the asset can be reached from outside', () => {
    const severity = severityOf('CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H');
    expect(decide({ severity })).toMatchObject({ automatable: false });
    expect(decide({ severity }, {}, { attackSurface: 'Cloud' })).toMatchObject({ automatable: true });
    expect(decide({ severity: severityOf(null) }, {}, { attackSurface: 'DMZ' })).toMatchObject({
      automatable: false,
    });
  });

  it('takes the impact from the vector, else from the severity', () => {
    const of = (vector: string | null, value: number) => decide({ severity: severityOf(vector, value) });
    expect(of(null, 8.9)).toMatchObject({ technicalImpact: 'partial' });
    expect(of(null, 9)).toMatchObject({ technicalImpact: 'total' });
    expect(of('AV:N/AC:L/Au:N/C:C/I:C/A:C', 1)).toMatchObject({ technicalImpact: 'total' });
    expect(of('AV:N/AC:L/Au:N/C:C/I:C/A:P', 10)).toMatchObject({ technicalImpact: 'partial' });
  });

  it.each([
    [{ criticality: 'critical' }, 'high'],
    [{ criticality: 'high' }, 'medium'],
    [{ criticality: 'high', integrityRequirement: 'high' }, 'high'],
    [{ criticality: 'medium', integrityRequirement: 'high' }, 'medium'],
    [{ criticality: null }, 'medium'],
    [{ criticality: 'low' }, 'low'],
    [{ criticality: 'info' }, 'low'],
  ] as const)('takes the mission of %j as %s', (asset, mission) => {
    expect(missionOf(threatenedAsset(asset))).toBe(mission);
  });

  it('is the greatest of the valid CVEs of a finding, with what KEV states of it', () => {
    const severity = severityOf('CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H');
    const cves = [CVE, OTHER];
    expect(decide({ cves, severity }, { ransomware: [OTHER] })).toMatchObject({
      decision: 'Act',
      cve: OTHER,
      epss: null,
      kev: { dateAdded: '2026-01-15', isUsedByRansomware: true },
    });
    const rejected = { ransomware: [OTHER], states: { [OTHER]: 'REJECTED' } };
    expect(decide({ cves, severity }, rejected)).toMatchObject({ decision: 'Track*', cve: CVE });
    expect(decide({ cves })).toMatchObject({ cve: CVE });
  });

  it('is of the failing instances of the finding, each with its own vector', () => {
    const [total, partial] = ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', null].map((vector) =>
      severityOf(vector),
    );
    const cves = [CVE, OTHER];
    const of = (vectors: (typeof total)[], failing: string[]) =>
      decide(
        { cves, failures: failing.map((cve, i) => ({ severity: vectors[i]!, cves: [cve], techniques: [] })) },
        { kev: [OTHER], epss: { [CVE]: 0.2, [OTHER]: 0.3 } },
      );
    expect(of([total], [CVE])).toMatchObject({ decision: 'Attend', cve: CVE, epss: 0.2 });
    expect(of([total, partial], cves)).toMatchObject({
      decision: 'Attend',
      cve: OTHER,
      technicalImpact: 'partial',
      epss: 0.3,
    });
    expect(of([partial, total], cves)).toMatchObject({ decision: 'Act', technicalImpact: 'total' });
  });

  it('has EPSS and KEV of all valid CVEs of the failing instances, also if the decision is of another CVE', () => {
    const total = severityOf('CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H');
    const failures = [
      { severity: severityOf(null), cves: [CVE, THIRD], techniques: [] },
      { severity: total, cves: [OTHER], techniques: [] },
    ];
    const known = { ransomware: [CVE, THIRD], epss: { [THIRD]: 0.6, [OTHER]: 0.5 } };
    expect(decide({ cves: [CVE, OTHER, THIRD], failures }, known, { criticality: null })).toMatchObject({
      decision: 'Track*',
      exploitation: 'poc',
      cve: OTHER,
      epss: 0.6,
      kev: { cve: CVE, isUsedByRansomware: true },
    });
  });

  it('among equals is that of a CVE in KEV: by ransomware, then of the earliest remedy, then of the smallest id', () => {
    // Exploitation is active for each of them by the vector, so KEV does not change the decision.
    const severity = severityOf('CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N/E:A');
    const cves = [CVE, OTHER, THIRD];
    const cveOf = (known: KnownThreats) => decide({ cves, severity }, known)?.cve;
    expect(cveOf({})).toBe(CVE);
    expect(cveOf({ kev: [OTHER] })).toBe(OTHER);
    expect(cveOf({ kev: [OTHER, THIRD] })).toBe(OTHER);
    expect(cveOf({ kev: [OTHER], ransomware: [THIRD] })).toBe(THIRD);
    expect(cveOf({ kev: cves, remedies: { [THIRD]: '2026-02-05' } })).toBe(THIRD);
    expect(cveOf({ kev: cves, remedies: { [OTHER]: '2026-02-05', [THIRD]: '2026-02-04' } })).toBe(THIRD);
  });

  it('is kept while a finding is not assessed in an open failing period', () => {
    expect(decide({ state: 'NotAssessed', isPeriodOpen: true })).toEqual(decide({}));
    expect(decide({ state: 'NotAssessed' })).toBeNull();
    expect(decide({ state: 'AcceptedFailed', isPeriodOpen: true })).toBeNull();
  });

  it('is none of a finding that does not count or has no valid CVE', () => {
    expect(decide({ state: 'AcceptedFailed' })).toBeNull();
    expect(decide({ activeUntil: AT })).toBeNull();
    expect(decide({ cves: [], techniques: ['T1059'] })).toBeNull();
  });
});
