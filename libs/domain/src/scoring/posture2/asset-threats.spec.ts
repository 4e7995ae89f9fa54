import { describe, expect, it } from '@jest/globals';
import { AT } from '../../../../../test/fixtures/domain/subjects.ts';
import {
  assessedFinding,
  type KnownThreats,
  threatCatalogueOf,
  threatenedSubject,
} from '../../../../../test/fixtures/domain/threatened-subjects.ts';
import { assetThreats } from './asset-threats.ts';
import type { AssessedFinding } from './facts.ts';

const [CVE, OTHER] = ['CVE-2024-1111', 'CVE-2024-2222'];
const NETWORK = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';
const threats = (findings: AssessedFinding[], known: KnownThreats = {}) =>
  assetThreats(threatenedSubject(findings), threatCatalogueOf(known), AT);
const severity = (value: number, vector: string | null = null) => ({ value, version: null, vector });

describe('what counts of an asset', () => {
  it('counts a CVE once, with the greatest hazard and the greatest impact of its findings', () => {
    const found = threats(
      [
        assessedFinding('f1', { cves: [CVE], severity: severity(10) }),
        assessedFinding('f2', {
          cves: [CVE, OTHER],
          severity: severity(5, 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N'),
        }),
      ],
      { kev: [CVE, OTHER] },
    );
    const { exposures, hazard, impact } = found.weaknesses.get(CVE)!;
    expect(exposures.map(({ finding }) => finding.id)).toEqual(['f2', 'f1']);
    // Network inside 0.2 against 0.1 without a vector.
    expect([hazard, exposures[1]!.hazard]).toEqual([1_847_359, 923_680]);
    expect([impact, exposures[0].impact]).toEqual([100, 24]);
    expect([...found.weaknesses.keys()].sort()).toEqual([CVE, OTHER]);
  });

  it('counts what fails of a finding, with the greatest hazard and the greatest impact of its instances', () => {
    const failures = [
      { severity: severity(10), cves: [CVE], techniques: [] },
      {
        severity: severity(5, 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N'),
        cves: [CVE],
        techniques: ['T1059'],
      },
      { severity: severity(7), cves: [], techniques: ['T1190'] },
    ];
    const passing = { cves: [CVE, OTHER], techniques: ['T1059', 'T1190', 'T1486'] };
    const { weaknesses } = threats([assessedFinding('f1', { ...passing, failures })], { kev: [CVE, OTHER] });
    expect([...weaknesses.keys()]).toEqual([CVE, 'f1']);
    const { exposures, hazard, impact } = weaknesses.get(CVE)!;
    expect([exposures.length, exposures[0].techniques, hazard, impact]).toEqual([
      1,
      ['T1059'],
      1_847_359,
      100,
    ]);
    expect(weaknesses.get('f1')!.exposures[0]).toMatchObject({ techniques: ['T1190'], impact: 70 });
  });

  it('takes no evidence and no failing control from what passes, and keeps the asset scored', () => {
    const failures = [{ severity: severity(7), cves: [], techniques: ['T1082'] }];
    const hole = assessedFinding('f1', { cves: [CVE], severity: severity(9.8, NETWORK) });
    const of = (given: Partial<AssessedFinding>) =>
      threats([hole, assessedFinding('f2', { techniques: ['T1082', 'T1190', 'T1486'], failures, ...given })]);
    expect(of({ type: 'ca' }).weaknesses.get(CVE)!.exposures[0].controlFactor).toBe(1000);
    expect(of({ type: 'ca', state: 'Qualified' }).weaknesses.get(CVE)!.exposures[0].controlFactor).toBe(700);
    expect(of({ type: 'edr' }).evidence[0]).toMatchObject({ techniques: ['T1082'], tacticWeight: 250 });
    const unmapped = { cves: [CVE], failures: [{ severity: severity(7), cves: [], techniques: [] }] };
    expect(threats([assessedFinding('f1', unmapped)])).toMatchObject({
      isScored: true,
      weaknesses: new Map(),
    });
  });

  it('lets the smallest id carry a CVE among equals', () => {
    const { weaknesses } = threats(['f2', 'f1'].map((id) => assessedFinding(id, { cves: [CVE] })));
    expect(weaknesses.get(CVE)!.exposures.map(({ finding }) => finding.id)).toEqual(['f1', 'f2']);
  });

  it('compares the findings of a CVE in proportion to their number, almost', () => {
    const readsOf = (count: number) => {
      let reads = 0;
      const findings = Array.from({ length: count }, (_, i) => {
        const id = `f${(i * 7_919) % count}`;
        return Object.defineProperty(assessedFinding(id, { cves: [CVE] }), 'id', {
          get: () => {
            reads += 1;
            return id;
          },
        });
      });
      threats(findings);
      return reads;
    };
    expect(readsOf(4_000)).toBeLessThan(3 * readsOf(2_000));
  });

  it('takes techniques from the finding, else from the mapping of the CVE, else from the vector', () => {
    const techniquesOf = (given: Partial<AssessedFinding>, known: KnownThreats = {}) =>
      threats([assessedFinding('f1', { cves: [CVE], ...given })], known).weaknesses.get(CVE)!.exposures[0]
        .techniques;
    expect(techniquesOf({ techniques: ['T1059'] }, { mapped: { [CVE]: ['T1486'] } })).toEqual(['T1059']);
    expect(techniquesOf({ techniques: ['T9999'] }, { mapped: { [CVE]: ['T1486'] } })).toEqual(['T1486']);
    expect(techniquesOf({ severity: severity(5, NETWORK) })).toEqual(['T1190']);
  });

  it('takes techniques only as one weakness, by their tactics and the severity', () => {
    const weaknessOf = (techniques: string[]) =>
      threats([assessedFinding('f1', { techniques, severity: severity(7) })]).weaknesses.get('f1')!;
    expect(weaknessOf(['T1190']).exposures[0]).toMatchObject({ reachRow: 'network', cve: null, impact: 70 });
    expect(weaknessOf(['T1059', 'T1082']).exposures[0]).toMatchObject({ reachRow: 'local' });
    expect(weaknessOf(['T1059']).hazard).toBe(Math.round((304_592_075 * 0.1 * 401_149) / 1e9));
  });

  it('takes detections as evidence, and their CVEs as weaknesses too', () => {
    const found = threats([
      assessedFinding('f1', { type: 'edr', techniques: ['T1486'], cves: [CVE] }),
      assessedFinding('f2', { type: 'edr', techniques: ['T9999'], cves: [OTHER] }),
      assessedFinding('f3', { type: 'edr', techniques: ['T9999'] }),
    ]);
    expect(found.evidence.map(({ finding }) => finding.id)).toEqual(['f1']);
    expect([...found.weaknesses.keys()]).toEqual([CVE, OTHER]);
  });

  it('leaves out what is accepted, ended or retired, also as evidence; counts malformed vectors', () => {
    const detection = { type: 'edr' as const, techniques: ['T1486'] };
    const found = threats([
      assessedFinding('f1', { ...detection, state: 'AcceptedFailed' }),
      assessedFinding('f2', { ...detection, activeUntil: AT }),
      assessedFinding('f3', { cves: [CVE], state: 'Retired' }),
      assessedFinding('f4', { cves: [CVE], severity: severity(5, 'AV:N') }),
    ]);
    expect(found.evidence).toEqual([]);
    expect(found.weaknesses.get(CVE)!.exposures.map(({ finding }) => finding.id)).toEqual(['f4']);
    expect([found.isScored, found.malformedVectors]).toEqual([true, 1]);
    expect(threats([assessedFinding('f1', { ...detection, activeUntil: AT })]).isScored).toBe(false);
  });
});
