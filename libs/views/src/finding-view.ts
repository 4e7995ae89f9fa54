import { type CveStateLookup, observationOf } from '#libs/domain';
import { findingFacts, instanceView } from './finding-facts.ts';
import { isoTime, isoTimeOrNull } from './iso-time.ts';
import type { SeenFinding } from './seen-finding.ts';
import { severityView } from './severity-view.ts';

/** A finding with all that is known of it, and one in a list. */
export type FindingView = ReturnType<typeof findingView>;
export type FindingItem = ReturnType<typeof findingItem>;

/** A finding as GET /api/v3/findings/:id answers it (api.md: findings). @param cveStateOf as of `findingFacts` */
export function findingView(seen: SeenFinding, cveStateOf?: CveStateLookup) {
  const { finding } = seen;
  return {
    ...headOf(seen, cveStateOf),
    description: finding.description,
    technical: finding.technical,
    businessImpact: finding.businessImpact,
    instances: finding.instances.map(instanceView),
    remediation: finding.remediation,
    observation: observationOf(finding),
  };
}

/** A finding as lists have it: without the long parts (api.md "Lists"). @param cveStateOf as of `findingFacts` */
export const findingItem = (seen: SeenFinding, cveStateOf?: CveStateLookup) => ({
  ...headOf(seen, cveStateOf),
  instanceCount: seen.finding.instances.length,
});

function headOf(seen: SeenFinding, cveStateOf?: CveStateLookup) {
  const { accepted, heldFailed, firstSeen, version, updatedAt } = seen.finding;
  return {
    ...findingFacts(seen, cveStateOf),
    severity: severityView(seen.finding),
    firstSeen: isoTime(firstSeen),
    lastSeen: isoTimeOrNull(seen.lastSeen),
    expiresAt: isoTimeOrNull(seen.expiresAt),
    accepted: accepted && {
      by: accepted.by,
      at: isoTime(accepted.at),
      rationale: accepted.rationale,
      until: isoTimeOrNull(accepted.until),
    },
    heldFailed: heldFailed && { by: heldFailed.by, at: isoTime(heldFailed.at) },
    overdueSince: isoTimeOrNull(seen.overdueSince),
    version,
    updatedAt: isoTime(updatedAt),
  };
}
