import fc from 'fast-check';
import { type AssetRisk, assetRisk } from '../../libs/domain/src/scoring/posture2/asset-risk.ts';
import { assetThreats } from '../../libs/domain/src/scoring/posture2/asset-threats.ts';
import type {
  AssessedFinding,
  DetectionState,
  FailureFacts,
  ThreatCatalogue,
  ThreatenedSubject,
} from '../../libs/domain/src/scoring/posture2/facts.ts';
import {
  addGroupSums,
  EMPTY_GROUP_SUMS,
  type GroupRisk,
  groupRisk,
  groupSumsOf,
} from '../../libs/domain/src/scoring/posture2/group-risk.ts';
import type { Targeting } from '../../libs/domain/src/scoring/posture2/targeting.ts';
import type { Mappings } from '../../libs/domain/src/scoring/valid-mappings.ts';
import { AT } from '../fixtures/domain/subjects.ts';
import {
  assessedFinding,
  type KnownThreats,
  threatCatalogueOf,
  threatenedAsset,
} from '../fixtures/domain/threatened-subjects.ts';

/** Random small organizations, and what can happen to them. */

export const CVES = ['CVE-2024-0001', 'CVE-2024-0002', 'CVE-2024-0003', 'CVE-2024-0004', 'CVE-2024-0005'];
const TECHNIQUES = {
  T1190: ['initial-access'],
  T1203: ['execution'],
  T1068: ['privilege-escalation'],
  'T1068.001': ['privilege-escalation'],
  T1486: ['impact'],
  T1082: ['discovery'],
};
const VECTORS = [
  null,
  'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:H/I:L/A:N',
  'CVSS:3.1/AV:L/AC:H/PR:L/UI:N/S:U/C:N/I:L/A:N',
  'CVSS:4.0/AV:P/AC:L/AT:P/PR:N/UI:P/VC:H/VI:L/VA:N/SC:N/SI:H/SA:N',
  'AV:A/AC:M/Au:S/C:P/I:C/A:N',
  'AV:N',
];
const DAY_MS = 86_400_000;
const LEVELS = [null, 'critical', 'high', 'medium', 'low', 'info'] as const;

/** What catalogues know of these CVEs and techniques, as plain objects. */
export const knownThreats: fc.Arbitrary<KnownThreats> = fc
  .record({
    epss: fc.dictionary(fc.constantFrom(...CVES), fc.constantFrom(0, 0.00001, 0.003, 0.05, 0.5, 0.97, 1)),
    kev: fc.subarray(CVES),
    ransomware: fc.subarray(CVES, { maxLength: 1 }),
    states: fc.dictionary(fc.constantFrom(...CVES), fc.constantFrom('PUBLISHED', 'REJECTED')),
    mapped: fc.dictionary(fc.constantFrom(...CVES), fc.subarray(Object.keys(TECHNIQUES), { minLength: 1 })),
    mitigations: fc.dictionary(
      fc.constantFrom(...Object.keys(TECHNIQUES)),
      fc.subarray(['M1051', 'M1038'], { minLength: 1 }),
    ),
  })
  .map((known) => ({ ...known, techniques: TECHNIQUES }));

export const threatCatalogues: fc.Arbitrary<ThreatCatalogue> = knownThreats.map(threatCatalogueOf);

const detection = fc
  .record({
    state: fc.constantFrom<DetectionState>('unreviewed', 'confirmed', 'resolved', 'ignored'),
    daysAgo: fc.integer({ min: 0, max: 100 }),
  })
  .map(({ state, daysAgo }) => ({
    state,
    closedAt: state === 'resolved' || state === 'ignored' ? AT - daysAgo * DAY_MS : null,
  }));

const failure = fc
  .record({
    value: fc.integer({ min: 0, max: 100 }).map((n) => n / 10),
    vector: fc.constantFrom(...VECTORS),
    cves: fc.subarray(CVES, { maxLength: 2 }),
    techniques: fc.subarray([...Object.keys(TECHNIQUES), 'T9999'], { maxLength: 2 }),
  })
  .map(
    ({ value, vector, ...mappings }): FailureFacts => ({
      ...mappings,
      severity: { value, version: null, vector },
    }),
  );
const failures = fc.oneof(
  { weight: 2, arbitrary: fc.array(failure, { minLength: 1, maxLength: 1 }) },
  { weight: 1, arbitrary: fc.array(failure, { minLength: 2, maxLength: 3 }) },
);
/** Of instances that pass. */
const passing = fc.oneof(
  { weight: 2, arbitrary: fc.constant([]) },
  { weight: 1, arbitrary: fc.tuple(failure) },
);

/** In any state, as the fold could have made it. */
export const findings = (id: string): fc.Arbitrary<AssessedFinding> =>
  fc
    .record({
      type: fc.constantFrom('va' as const, 'ca' as const, 'uba' as const, 'edr' as const),
      state: fc.constantFrom(
        ...(['Failed', 'Failed', 'Failed', 'Qualified', 'NotAssessed', 'AcceptedFailed', 'Retired'] as const),
      ),
      verdict: fc.constantFrom('passed' as const, 'failed' as const),
      failures,
      passing,
      days: fc.integer({ min: 0, max: 30 }),
      detections: fc.array(detection, { maxLength: 2 }),
    })
    .map(({ type, state, verdict, failures, passing, days, detections }) => {
      const isFree = state === 'NotAssessed' || state === 'Retired';
      return assessedFinding(id, {
        ...mappingsOfAll([...failures, ...passing]),
        failures,
        type,
        state,
        lastVerdict: isFree ? verdict : state === 'Qualified' ? 'passed' : 'failed',
        severity: worstOf(failures),
        detections: type === 'edr' && state !== 'Qualified' ? detections : [],
        activeUntil: AT + days * DAY_MS,
      });
    });

const mappingsOfAll = (all: readonly Mappings[]): Mappings => ({
  cves: [...new Set(all.flatMap(({ cves }) => cves))],
  techniques: [...new Set(all.flatMap(({ techniques }) => techniques))],
});

const worstOf = (failures: readonly FailureFacts[]) =>
  failures.map(({ severity }) => severity).reduce((worst, one) => (one.value > worst.value ? one : worst));

const subjects = (id: string): fc.Arbitrary<ThreatenedSubject> =>
  fc
    .record({
      findings: fc
        .integer({ min: 0, max: 6 })
        .chain((n) => fc.tuple(...Array.from({ length: n }, (_, i) => findings(`${id}-f${i}`)))),
      criticality: fc.constantFrom(...LEVELS),
      confidentialityRequirement: fc.constantFrom(...LEVELS),
      attackSurface: fc.constantFrom('Servers', 'Endpoints', 'Network', 'DMZ', 'Elsewhere'),
      ipAddresses: fc.constantFrom([], ['10.0.0.7'], ['10.0.0.7', '8.8.8.8']),
      isEdrManaged: fc.boolean(),
    })
    .map(({ findings, ...asset }) => ({ asset: threatenedAsset({ id, ...asset }), findings }));

export interface Estate {
  subjects: readonly ThreatenedSubject[];
  at: number;
}

export const estates: fc.Arbitrary<Estate> = fc
  .integer({ min: 1, max: 5 })
  .chain((n) => fc.tuple(...Array.from({ length: n }, (_, i) => subjects(`a${i}`))))
  .map((subjects) => ({ subjects, at: AT }));

export interface EstateRisk {
  assets: AssetRisk[];
  /** All assets but the last one. */
  group: GroupRisk;
  organization: GroupRisk;
}

export const assetRisks = ({ subjects, at }: Estate, catalogue: ThreatCatalogue, targeting: Targeting) =>
  subjects.map((subject) =>
    assetRisk(assetThreats(subject, catalogue, at, targeting), subject.asset, targeting),
  );

export function estateRisk(estate: Estate, catalogue: ThreatCatalogue, targeting: Targeting): EstateRisk {
  const assets = assetRisks(estate, catalogue, targeting);
  const riskOf = (members: AssetRisk[]) =>
    groupRisk(members.map(groupSumsOf).reduce(addGroupSums, EMPTY_GROUP_SUMS), targeting);
  return { assets, group: riskOf(assets.slice(0, -1)), organization: riskOf(assets) };
}

/** Acts that never raise a score. */
export const SOFTENING = [
  'pass',
  'passInstance',
  'newPass',
  'newPassingInstance',
  'accept',
  'expire',
  'retire',
  'notAssess',
  'resolve',
  'ignore',
  'age',
] as const;
/** Acts that never lower one. */
export const HARDENING = ['fail', 'newFailing', 'newFailingInstance', 'confirm', 'reopen'] as const;
export type ActKind = (typeof SOFTENING)[number] | (typeof HARDENING)[number];

export interface Act {
  kind: ActKind;
  asset: number;
  finding: number;
  /** What a new finding or instance is. */
  given: AssessedFinding;
  days: number;
}

export const acts = (kinds: readonly ActKind[]): fc.Arbitrary<Act> =>
  fc.record({
    kind: fc.constantFrom(...kinds),
    asset: fc.nat({ max: 4 }),
    finding: fc.nat({ max: 5 }),
    given: findings('new'),
    days: fc.integer({ min: 1, max: 40 }),
  });

/** The estate after an act, as the fold makes it; unchanged if the act does not apply. */
export function afterAct(estate: Estate, { kind, asset, finding, given, days }: Act): Estate {
  if (kind === 'age') return { ...estate, at: estate.at + days * DAY_MS };
  const subject = estate.subjects[asset % estate.subjects.length]!;
  const until = estate.at + days * DAY_MS;
  const changed = (): AssessedFinding[] => {
    if (kind === 'newPass' || kind === 'newFailing') {
      const id = `${subject.asset.id}-n${subject.findings.length}`;
      const added = kind === 'newPass' ? passed(given) : failed(given);
      return [...subject.findings, { ...added, id, activeUntil: until }];
    }
    const index = subject.findings.length === 0 ? -1 : finding % subject.findings.length;
    return subject.findings.map((one, i) =>
      i === index ? changedFinding(one, { kind, given, days }, estate.at, until) : one,
    );
  };
  const after = { ...subject, findings: changed() };
  return { ...estate, subjects: estate.subjects.map((one) => (one === subject ? after : one)) };
}

const passed = (finding: AssessedFinding): AssessedFinding => ({
  ...finding,
  state: 'Qualified',
  lastVerdict: 'passed',
  detections: [],
});

const failed = (finding: AssessedFinding): AssessedFinding => ({
  ...finding,
  state: 'Failed',
  lastVerdict: 'failed',
});

function changedFinding(
  finding: AssessedFinding,
  { kind, given, days }: Pick<Act, 'kind' | 'given' | 'days'>,
  at: number,
  until: number,
): AssessedFinding {
  const detections = (change: (state: DetectionState) => DetectionState, closedAt: number | null) =>
    finding.detections.map((one) => {
      const state = change(one.state);
      return state === one.state ? one : { state, closedAt };
    });
  const isOpen = (state: DetectionState) => state === 'unreviewed' || state === 'confirmed';
  switch (kind) {
    case 'pass':
      return { ...passed(finding), activeUntil: until };
    case 'passInstance':
      return withOnePassed(finding, days);
    case 'newPassingInstance':
      return { ...finding, ...mappingsOfAll([finding, given]) };
    case 'newFailingInstance':
      if (finding.state !== 'Failed') return finding;
      return {
        ...finding,
        ...mappingsOfAll([finding, given]),
        failures: [...finding.failures, ...given.failures],
      };
    case 'accept':
      return finding.state === 'Failed' ? { ...finding, state: 'AcceptedFailed' } : finding;
    case 'expire':
      return { ...finding, activeUntil: Math.min(finding.activeUntil, at) };
    case 'retire':
      return { ...finding, state: 'Retired' };
    case 'notAssess':
      return { ...finding, state: 'NotAssessed' };
    case 'resolve':
      return { ...finding, detections: detections((state) => (isOpen(state) ? 'resolved' : state), at) };
    case 'ignore':
      return {
        ...finding,
        detections: finding.detections.map(({ state, closedAt }) => ({
          state: 'ignored',
          closedAt: isOpen(state) ? at : closedAt,
        })),
      };
    case 'fail':
      // A signal that fails again keeps it at least as long.
      return { ...failed(finding), activeUntil: Math.max(finding.activeUntil, until) };
    case 'confirm':
      return {
        ...finding,
        detections: detections((state) => (state === 'unreviewed' ? 'confirmed' : state), null),
      };
    case 'reopen':
      return {
        ...finding,
        detections: detections((state) => (state === 'resolved' ? 'confirmed' : state), null),
      };
    default:
      return finding;
  }
}

/** The finding once one of its failing instances passes. */
function withOnePassed(finding: AssessedFinding, index: number): AssessedFinding {
  if (finding.state !== 'Failed') return finding;
  const failures = finding.failures.filter((_, i) => i !== index % finding.failures.length);
  return failures.length === 0 ? passed(finding) : { ...finding, failures, severity: worstOf(failures) };
}
