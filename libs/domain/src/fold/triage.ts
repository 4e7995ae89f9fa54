import type { TriageAct } from '../events.ts';
import type { EntityState, Finding } from '../state.ts';
import { actOnFinding } from './act-on-finding.ts';
import type { FindingChangeName, Refusal } from './effects.ts';
import { hasEffect } from './refusal-of.ts';
import { changeFinding, type Moment } from './track-finding.ts';
import { triageAfter, triageOf } from './triage-after.ts';

const CHANGE_NAMES = {
  FindingAssigned: 'assigned',
  FindingTagged: 'tagged',
  FindingDueSet: 'dueSet',
  FindingTicketsChanged: 'ticketsChanged',
  FindingCommented: 'commented',
} as const satisfies Record<TriageAct['type'], FindingChangeName>;

/** Changes the triage of an active finding, not its state (R-TRIAGE-1). An act without an effect is no change. */
export function triageFinding(moment: Moment, entity: EntityState, act: TriageAct): Refusal | null {
  return actOnFinding(entity, act, (asset, { finding, seen }) => {
    if (!hasEffect(finding, act)) return;
    const changed: Finding = { ...finding, triage: triageAfter(triageOf(finding), act) };
    changeFinding(moment, asset, { finding: changed, seen }, CHANGE_NAMES[act.type], finding.state, 'user');
  });
}
