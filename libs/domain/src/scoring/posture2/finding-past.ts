import type { Finding } from '../../state.ts';
import { detectionState, type FindingPast, isClosed, isDetection, lastVerdict } from './finding-facts.ts';

/** Closed in another way, a detection ages on. */
interface StateSince {
  isDone: boolean;
  since: number;
}

/** A finding's past that is followed from change to change. */
export interface FollowedPast extends FindingPast {
  /** Of the failing, counted instances, by key. */
  states: ReadonlyMap<string, StateSince>;
}

/**
 * The past of a finding as of one of its changes, which counts.
 *
 * @param before as of the change before; null for the first one
 * @param at epoch ms of the change
 */
export function pastWith(before: FollowedPast | null, finding: Finding, at: number): FollowedPast {
  const states = finding.type === 'edr' ? statesOf(before?.states, finding, at) : NO_STATES;
  return {
    verdict: lastVerdict(finding, before?.verdict ?? null),
    states,
    stateSince: (key) => states.get(key)?.since ?? null,
  };
}

const NO_STATES: FollowedPast['states'] = new Map();

/** The ones before if nothing changed, because a finding may have many changes. */
function statesOf(
  before: FollowedPast['states'] = NO_STATES,
  { instances }: Finding,
  at: number,
): FollowedPast['states'] {
  const states = new Map<string, StateSince>();
  for (const instance of instances) {
    if (!isDetection(instance)) continue;
    const isDone = isClosed(detectionState(instance));
    const known = before.get(instance.key);
    states.set(instance.key, known?.isDone === isDone ? known : { isDone, since: at });
  }
  const isSame = states.size === before.size && [...states].every(([key, one]) => before.get(key) === one);
  return isSame ? before : states;
}

/** Whether what posture-2 requires of findings of this type can depend on their earlier changes. */
export const canDependOnPast = ({ type }: Pick<Finding, 'type'>): boolean =>
  type === 'edr' || type === 'ca' || type === 'uba';

/** Whether what posture-2 requires of a finding as it is depends on its earlier changes. */
export function dependsOnPast(finding: Finding): boolean {
  if (!canDependOnPast(finding)) return false;
  if (finding.type !== 'edr') return lastVerdict(finding, 'passed') !== lastVerdict(finding, 'failed');
  return finding.instances.some((instance) => isDetection(instance) && isClosed(detectionState(instance)));
}
