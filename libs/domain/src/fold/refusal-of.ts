import type { FindingAct } from '../events.ts';
import type { Finding } from '../state.ts';
import type { Refusal } from './effects.ts';
import { sameContent } from './same-content.ts';
import { triageAfter, triageOf } from './triage-after.ts';

/** The part of a finding on which it depends what an act does. */
export type DecidedOn = Pick<Finding, 'state' | 'version' | 'heldFailed' | 'triage'>;

/** Why the fold refuses an act on a finding; null if it does not. Callers use it to preview acts. */
export function refusalOf(finding: DecidedOn, act: FindingAct): Refusal | null {
  if (finding.state === 'Retired') return 'unknown';
  if (act.seenVersion !== null && act.seenVersion !== finding.version) return 'stale';
  switch (act.type) {
    case 'FindingAccepted':
      return finding.state === 'Failed' ? null : 'notFailed';
    case 'FindingReverted':
      return finding.state === 'AcceptedFailed' || finding.heldFailed ? null : 'notAccepted';
    default:
      return triageAfter(triageOf(finding), act) === null ? 'tooMany' : null;
  }
}

/** Whether an act that is not refused changes the finding: adding a tag that it has does not, nor holding it again. */
export function hasEffect(finding: Pick<Finding, 'heldFailed' | 'triage'>, act: FindingAct): boolean {
  if (act.type === 'FindingAccepted') return true;
  if (act.type === 'FindingReverted') return act.to !== 'Failed' || !finding.heldFailed;
  const before = triageOf(finding);
  return !sameContent(before, triageAfter(before, act));
}
