import {
  dueDateOf,
  isoTime,
  isoTimeOrNull,
  type ObservedInstance,
  observationOf,
  type Sla,
  type SlaFacts,
  slaStateOf,
  triageOf,
} from '#libs/domain';
import { assigneeView, type CountingCatalogue, findingFacts, instanceView } from './finding-facts.ts';
import type { SeenFinding } from './seen-finding.ts';

/** A finding in a list. */
export type FindingItem = ReturnType<typeof findingItem>;

/** Where the assignee of a finding comes from. */
export type AssigneeBy = 'user' | 'rule';

/** What the due date of a finding depends on at an instant (epoch milliseconds). */
export interface DueBasis extends SlaFacts {
  at: number;
  sla: Sla | null;
}

/** Instances that a finding is returned with: merged signals give it any number of them. */
export const INSTANCES_SHOWN_MAX = 1_000;

/** A finding as GET /api/v3/findings/:id answers it. @param catalogue as of `findingFacts` */
export function findingView(seen: SeenFinding, basis: DueBasis, catalogue?: CountingCatalogue) {
  const { finding } = seen;
  const instances = shownInstances(finding.instances);
  return {
    ...headOf(seen, basis, catalogue),
    description: finding.description,
    technical: finding.technical,
    businessImpact: finding.businessImpact,
    instances: instances.map(instanceView),
    instanceCount: finding.instances.length,
    remediation: finding.remediation,
    observation: observationOf({ instances }),
  };
}

/** By key. If there are too many, first those that fail and count: the state of the finding follows from them. */
function shownInstances(instances: readonly ObservedInstance[]): ObservedInstance[] {
  if (instances.length <= INSTANCES_SHOWN_MAX) return [...instances];
  const isDecisive = ({ counted, status }: ObservedInstance) => counted && status === 'fail';
  const others = instances.filter((one) => !isDecisive(one));
  return [...instances.filter(isDecisive), ...others].slice(0, INSTANCES_SHOWN_MAX);
}

/** A finding as lists have it: without the long fields. @param catalogue as of `findingFacts` */
export const findingItem = (seen: SeenFinding, basis: DueBasis, catalogue?: CountingCatalogue) => ({
  ...headOf(seen, basis, catalogue),
  instanceCount: seen.finding.instances.length,
});

function headOf(seen: SeenFinding, basis: DueBasis, catalogue?: CountingCatalogue) {
  const {
    accepted,
    heldFailed,
    firstSeen,
    failedSince = null,
    settledAt = null,
    version,
    updatedAt,
  } = seen.finding;
  return {
    ...findingFacts(seen, catalogue),
    ...responsibleFacts(seen),
    firstSeen: isoTime(firstSeen),
    failedSince: isoTimeOrNull(failedSince),
    settledAt: isoTimeOrNull(settledAt),
    lastSeen: isoTimeOrNull(seen.lastSeen),
    expiresAt: isoTimeOrNull(seen.expiresAt),
    accepted: accepted && {
      by: accepted.by,
      at: isoTime(accepted.at),
      rationale: accepted.rationale,
      until: isoTimeOrNull(accepted.until),
    },
    heldFailed: heldFailed && { by: heldFailed.by, at: isoTime(heldFailed.at) },
    ...dueFacts(seen, basis),
    overdueSince: isoTimeOrNull(seen.overdueSince),
    version,
    updatedAt: isoTime(updatedAt),
  };
}

/** The assignee that a user has chosen, otherwise the owner of the asset, in the words of the API. */
function responsibleFacts({ finding, owner }: SeenFinding): {
  assignee: ReturnType<typeof assigneeView> | null;
  assigneeBy: AssigneeBy | null;
} {
  const { assignee } = triageOf(finding);
  if (assignee) return { assignee: assigneeView(assignee), assigneeBy: 'user' };
  return owner ? { assignee: assigneeView(owner), assigneeBy: 'rule' } : { assignee: null, assigneeBy: null };
}

/** The due date in the words of the API. */
function dueFacts({ finding, state }: SeenFinding, { at, sla, ...facts }: DueBasis) {
  const due = dueDateOf(finding, state, sla, facts);
  const slaState = slaStateOf(finding, state, due, sla, at);
  return {
    due: isoTimeOrNull(due?.at ?? null),
    dueBy: due?.by ?? null,
    overdue: slaState === 'overdue',
    sla: slaState,
  };
}
