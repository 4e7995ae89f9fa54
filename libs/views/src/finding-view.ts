import { isoTime, isoTimeOrNull, observationOf, triageOf } from '#libs/domain';
import { type CountingCatalogue, findingFacts, instanceView } from './finding-facts.ts';
import type { SeenFinding } from './seen-finding.ts';
import { severityView } from './severity-view.ts';

/** A finding in a list. */
export type FindingItem = ReturnType<typeof findingItem>;

/** A finding as GET /api/v3/findings/:id answers it. @param catalogue as of `findingFacts` */
export function findingView(seen: SeenFinding, catalogue?: CountingCatalogue) {
  const { finding } = seen;
  return {
    ...headOf(seen, catalogue),
    description: finding.description,
    technical: finding.technical,
    businessImpact: finding.businessImpact,
    instances: finding.instances.map(instanceView),
    remediation: finding.remediation,
    observation: observationOf(finding),
  };
}

/** A finding as lists have it: without the long fields. @param catalogue as of `findingFacts` */
export const findingItem = (seen: SeenFinding, catalogue?: CountingCatalogue) => ({
  ...headOf(seen, catalogue),
  instanceCount: seen.finding.instances.length,
});

function headOf(seen: SeenFinding, catalogue?: CountingCatalogue) {
  const { accepted, heldFailed, firstSeen, version, updatedAt } = seen.finding;
  return {
    ...findingFacts(seen, catalogue),
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
    due: isoTimeOrNull(triageOf(seen.finding).due?.at ?? null),
    overdue: seen.isOverdue,
    overdueSince: isoTimeOrNull(seen.overdueSince),
    version,
    updatedAt: isoTime(updatedAt),
  };
}
