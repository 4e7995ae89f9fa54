import type { Envelope, FindingAccepted, FindingReverted } from '../events.ts';
import type { EntityState, Finding } from '../state.ts';
import { actOnFinding } from './act-on-finding.ts';
import type { Refusal } from './effects.ts';
import { eventTime } from './partition-clock.ts';
import { hasEffect } from './refusal-of.ts';
import { changeFinding, type Moment } from './track-finding.ts';

/** The first rules under which a hold stays as it is if the finding is held again. */
const HOLDS_STAY = 8;

/** Only a Failed finding can be accepted (R-ACC-1), and only in the version that was seen (R-FOLD-6). */
export function acceptFinding(
  moment: Moment,
  entity: EntityState,
  envelope: Envelope,
  act: FindingAccepted,
): Refusal | null {
  const { rationale, until } = act;
  return actOnFinding(entity, act, (asset, { finding, seen }) => {
    const accepted: Finding = {
      ...finding,
      state: 'AcceptedFailed',
      accepted: { by: envelope.cause.user ?? '', at: eventTime(envelope), rationale, until },
      heldFailed: null,
    };
    changeFinding(moment, asset, { finding: accepted, seen }, 'accepted', finding.state, 'user');
  });
}

/** Ends an acceptance or a hold: to Not Assessed, which signals move again, or held Failed (R-ACC-6). */
export function revertFinding(
  moment: Moment,
  entity: EntityState,
  envelope: Envelope,
  act: FindingReverted,
): Refusal | null {
  const { to } = act;
  return actOnFinding(entity, act, (asset, { finding, seen }) => {
    if (moment.rules >= HOLDS_STAY && !hasEffect(finding, act)) return;
    const heldFailed = to === 'Failed' ? { by: envelope.cause.user ?? '', at: eventTime(envelope) } : null;
    const reverted: Finding = { ...finding, state: to, accepted: null, heldFailed };
    changeFinding(moment, asset, { finding: reverted, seen }, 'reverted', finding.state, 'user');
  });
}
