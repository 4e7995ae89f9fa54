import { cvesOf, isoTime, severityOf, techniquesOf } from '#libs/domain';
import { assetFacts, type SeenAsset, type SeenFinding } from '#libs/views';
import type { ReportAcceptedFinding, ReportAsset, ReportFinding } from './report-content.ts';
import { severityLevel } from './severity-level.ts';

/**
 * An asset in a report. It does not contain whether a finding counts for scoring: that depends on catalogues, and a
 * report depends only on the log and the instant.
 */
export function reportAsset({ asset, findings }: SeenAsset): ReportAsset {
  const { id, name, type, attackSurface, department, location, criticality } = assetFacts(asset);
  const ordered = [...findings].sort(worstFirst);
  return {
    id,
    name,
    type,
    attackSurface,
    department,
    location,
    criticality,
    open: ordered.filter(({ state }) => state === 'Failed').map(reportFinding),
    accepted: ordered.filter(({ state }) => state === 'AcceptedFailed').map(acceptedFinding),
  };
}

/** Findings of one severity in the order of their numbers. */
const worstFirst = ({ finding: a }: SeenFinding, { finding: b }: SeenFinding): number =>
  severityOf(b).value - severityOf(a).value || a.number - b.number;

function reportFinding({ finding, lastSeen, expiresAt }: SeenFinding): ReportFinding {
  const severity = severityOf(finding);
  return {
    id: finding.id,
    type: finding.type,
    name: finding.name,
    severity: severity.value,
    severityLevel: severityLevel(severity),
    cves: cvesOf(finding),
    techniques: techniquesOf(finding),
    source: finding.source.name,
    firstSeen: isoTime(finding.firstSeen),
    lastSeen: isoTime(lastSeen!),
    expiresAt: isoTime(expiresAt!),
  };
}

function acceptedFinding(seen: SeenFinding): ReportAcceptedFinding {
  const { by, at, until, rationale } = seen.finding.accepted!;
  return {
    ...reportFinding(seen),
    acceptedBy: by,
    acceptedSince: isoTime(at),
    acceptedUntil: until === null ? null : isoTime(until),
    rationale,
  };
}
