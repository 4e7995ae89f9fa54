import type { Envelope, FindingAccepted, FindingReverted } from '../events.ts';
import type { EntityState, Finding } from '../state.ts';
import { actOnFinding } from './act-on-finding.ts';
import type { Refusal } from './effects.ts';
import { eventTime } from './partition-clock.ts';
import { changeFinding, type Moment } from './track-finding.ts';

/** Only a Failed finding can be accepted (R-ACC-1), and only in the version that was seen (R-FOLD-6). */
export function acceptFinding(
  moment: Moment,
  entity: EntityState,
  envelope: Envelope,
  { findingId, seenVersion, rationale, until }: FindingAccepted,
): Refusal | null {
  return actOnFinding(entity, findingId, seenVersion, (asset, { finding, seen }) => {
    if (finding.state !== 'Failed') return 'notFailed';
    const accepted: Finding = {
      ...finding,
      state: 'AcceptedFailed',
      accepted: { by: envelope.cause.user ?? '', at: eventTime(envelope), rationale, until },
      heldFailed: null,
    };
    changeFinding(moment, asset, { finding: accepted, seen }, 'accepted', finding.state, 'user');
    return null;
  });
}

/** Ends an acceptance or a hold: to Not Assessed, which signals move again, or held Failed (R-ACC-6). */
export function revertFinding(
  moment: Moment,
  entity: EntityState,
  envelope: Envelope,
  { findingId, seenVersion, to }: FindingReverted,
): Refusal | null {
  return actOnFinding(entity, findingId, seenVersion, (asset, { finding, seen }) => {
    if (finding.state !== 'AcceptedFailed' && !finding.heldFailed) return 'notAccepted';
    const heldFailed = to === 'Failed' ? { by: envelope.cause.user ?? '', at: eventTime(envelope) } : null;
    const reverted: Finding = { ...finding, state: to, accepted: null, heldFailed };
    changeFinding(moment, asset, { finding: reverted, seen }, 'reverted', finding.state, 'user');
    return null;
  });
}
