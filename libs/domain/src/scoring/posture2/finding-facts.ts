import type { ObservedInstance } from '../../events.ts';
import { decisiveInstances, stateOf } from '../../fold/finding-state.ts';
import { failingSince } from '../../sla/due.ts';
import type { Finding } from '../../state.ts';
import { type FindingEnds, findingFactsOf } from '../scoring-facts.ts';
import type { AssessedFinding, DetectionFacts, DetectionState, FailureFacts, Verdict } from './facts.ts';

/** What only the history of a finding states. */
export interface FindingPast {
  /** The last verdict before the finding was not assessed. */
  verdict: Verdict | null;
  /** Epoch ms from which on an instance, by its key, is a failing detection that is open, or that is closed. */
  stateSince: (instanceKey: string) => number | null;
}

const NO_PAST: FindingPast = { verdict: null, stateSince: () => null };

/** The model's view of a finding as the fold has it. */
export function assessedFindingOf(
  finding: Finding,
  seen: FindingEnds,
  past: FindingPast = NO_PAST,
): AssessedFinding {
  const facts = findingFactsOf(finding, seen);
  return {
    ...facts,
    type: finding.type,
    failures: failuresOf(finding, facts),
    lastVerdict: lastVerdict(finding, past.verdict),
    isPeriodOpen: failingSince(finding) !== null,
    detections: finding.type === 'edr' ? detectionsOf(finding, past.stateSince) : [],
  };
}

/** @param whole of the finding, which most of them share with their only instance */
function failuresOf(
  { instances }: Finding,
  { severity, cves, techniques }: FailureFacts,
): readonly FailureFacts[] {
  if (instances.length === 1) return [{ severity, cves, techniques }];
  const failures = decisiveInstances(instances).map(
    ({ severity: { value, version, vector }, cves, techniques }): FailureFacts => ({
      severity: { value, version, vector },
      cves,
      techniques,
    }),
  );
  return [...new Map(failures.map((one) => [JSON.stringify(one), one])).values()];
}

/**
 * Retired findings keep their instances, so only one that is not assessed needs its past. With its asset, the verdict on
 * a finding is deleted too.
 */
export function lastVerdict(
  { state, retiredReason, instances }: Finding,
  past: Verdict | null,
): Verdict | null {
  if (retiredReason === 'assetDeleted') return null;
  const known = state === 'Retired' ? stateOf(instances) : state;
  if (known === 'NotAssessed') return past;
  return known === 'Qualified' ? 'passed' : 'failed';
}

const detectionsOf = ({ instances }: Finding, stateSince: FindingPast['stateSince']): DetectionFacts[] =>
  instances.filter(isDetection).map((instance) => {
    const state = detectionState(instance);
    return { state, closedAt: isClosed(state) ? stateSince(instance.key) : null };
  });

/** Fails and counts. */
export const isDetection = ({ status, counted }: Pick<ObservedInstance, 'status' | 'counted'>): boolean =>
  counted && status === 'fail';

export const isClosed = (state: DetectionState) => state === 'resolved' || state === 'ignored';

/** By workflow status and tags as EDR platforms write them: `Closed` with `true_positive`, or `true_positive` alone. */
export function detectionState({
  workflowStatus,
  tags,
}: Pick<ObservedInstance, 'workflowStatus' | 'tags'>): DetectionState {
  const status = normalized(workflowStatus ?? '');
  const tagged = new Set(Object.values(tags).flat().map(normalized));
  const isDone = status === 'closed';
  if (status === 'true_positive' || (isDone && tagged.has('true_positive'))) return 'resolved';
  if (status === 'ignored' || (isDone && tagged.has('ignored'))) return 'ignored';
  return tagged.has('true_positive') ? 'confirmed' : 'unreviewed';
}

const normalized = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
