import { describe, expect, it } from '@jest/globals';
import { assessedFinding } from '../../../../../test/fixtures/domain/threatened-subjects.ts';
import type { AssessedFinding, ThreatCatalogue, ThreatenedSubject } from '../posture2/facts.ts';
import { forecastsOf, hasOpenDetection } from './forecasts.ts';

const AT = 1_000;
const [A, B, C] = ['CVE-2025-1001', 'CVE-2025-1002', 'CVE-2025-1003'];

const CATALOGUE: ThreatCatalogue = {
  techniqueOf: (id) => (id === 'T1486' ? { tactics: ['impact'] } : undefined),
  cveStateOf: () => undefined,
  epssOf: (cve) => {
    const probability = { [A!]: 0.1, [B!]: 0.2 }[cve];
    return probability === undefined ? undefined : { probability, date: '2026-01-01' };
  },
  kevOf: (cve) => (cve === B ? { dateAdded: '2025-01-01' } : undefined),
};

const finding = (id: string, given: Partial<AssessedFinding>): AssessedFinding =>
  assessedFinding(id, { severity: severity(5), activeUntil: AT + 1, ...given });
const severity = (value: number) => ({ value, version: null, vector: null });

const subject = (...findings: AssessedFinding[]): ThreatenedSubject => ({
  asset: {
    id: 'asset',
    criticality: 'critical',
    confidentialityRequirement: null,
    integrityRequirement: null,
    availabilityRequirement: null,
    attackSurface: 'Servers',
    ipAddresses: [],
    isEdrManaged: false,
  },
  findings,
});

describe('the forecasts for an asset', () => {
  const FINDINGS = [
    finding('f1', { cves: [A!, B!], severity: severity(6) }),
    finding('f2', { cves: [A!], severity: severity(8) }),
    finding('f3', { cves: [A!], severity: severity(7) }),
    finding('f4', { cves: [C!], severity: severity(10), state: 'Qualified' }),
    finding('f5', { cves: [C!], severity: severity(10), activeUntil: AT }),
    finding('f6', { techniques: ['T1486'], severity: severity(9) }),
  ];
  const { asset, cves } = forecastsOf(subject(...FINDINGS), CATALOGUE, AT);

  it('count each CVE once, with its greatest severity', () => {
    expect([...cves.keys()].sort()).toEqual([A, B]);
    expect(cves.get(A!)).toMatchObject({ epss: 0.1, cvss: 8, kev: 0, 'posture-1': 0.1 });
    expect(cves.get(B!)).toMatchObject({ epss: 0.2, cvss: 6, kev: 1, 'posture-1': 0.9 });
    // Reach unknown inside, 0.1, and the targeting factor: −ln(0.9) × 0.1 × 0.000401149.
    expect(cves.get(A!)!['posture-2']).toBeCloseTo(0.105360516 * 0.1 * 0.000401149, 9);
  });

  it('combine those of its CVEs', () => {
    expect(asset!.epss).toBeCloseTo(1 - 0.9 * 0.8, 12);
    expect(asset).toMatchObject({ cvss: 9, kev: 1 });
    // The technique of severity 9 has 0.09.
    expect(asset!['posture-1']).toBeCloseTo(1 - 0.9 * 0.1 * 0.91, 6);
    // The norm of the hazards of both CVEs and of the technique: 0.105, 2.303 and 0.0619, × 0.1 × 0.000401149.
    expect(asset!['posture-2']).toBeCloseTo(
      Math.hypot(0.10536, -Math.log(0.1), 0.061875) * 0.1 * 0.000401149,
      8,
    );
  });

  it('are none without a valid mapping, and 0 without a failed finding', () => {
    expect(forecastsOf(subject(finding('f', { cves: ['no'] })), CATALOGUE, AT)).toEqual({
      asset: null,
      cves: new Map(),
    });
    expect(forecastsOf(subject(FINDINGS[3]!), CATALOGUE, AT).asset).toEqual({
      'posture-2': 0,
      'posture-1': 0,
      epss: 0,
      cvss: 0,
      kev: 0,
    });
  });
});

describe('an open detection', () => {
  const isOpen = (state: AssessedFinding['detections'][number]['state'], given = {}) =>
    hasOpenDetection([finding('f', { type: 'edr', detections: [{ state, closedAt: null }], ...given })], AT);

  it('is new or confirmed, and active', () => {
    expect([isOpen('unreviewed'), isOpen('confirmed')]).toEqual([true, true]);
    expect([isOpen('resolved'), isOpen('ignored')]).toEqual([false, false]);
    expect([isOpen('confirmed', { activeUntil: AT }), isOpen('confirmed', { state: 'Retired' })]).toEqual([
      false,
      false,
    ]);
    expect(isOpen('confirmed', { type: 'va' })).toBe(false);
  });
});
