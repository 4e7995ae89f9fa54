import { type FindingAct, hasEffect, type Refusal, refusalOf } from '#libs/domain';
import { type ActOf, actOn } from '../finding-acts/act-of.ts';
import type { ActedOn } from '../finding-acts/acted-on.repository.ts';
import type { RefusalReason } from './bulk-acts.dto.ts';

/** A finding that a request selects, in the version that the act is decided on; null: in any. */
export interface Selected {
  id: string;
  /** Undefined: the caller sees no such finding. */
  actedOn: ActedOn | undefined;
  version: number | null;
}

/** An act on one finding, and what is known of its outcome before it is appended. */
export interface PlannedAct {
  id: string;
  actedOn: ActedOn | undefined;
  payload: FindingAct;
  outcome: 'effective' | 'unchanged' | RefusalReason;
}

/** Decides as the fold will, unless the finding changes first. */
export const planActs = (selected: readonly Selected[], act: ActOf<FindingAct>): PlannedAct[] =>
  selected.map(({ id, actedOn, version }) => {
    const payload = actOn(id, version, act);
    return { id, actedOn, payload, outcome: outcomeOf(actedOn, payload) };
  });

function outcomeOf(actedOn: ActedOn | undefined, payload: FindingAct): PlannedAct['outcome'] {
  if (actedOn === undefined) return 'unknown';
  const { decidedOn } = actedOn;
  if (decidedOn.state === 'Retired') return 'retired';
  const refused = refusalOf(decidedOn, payload);
  if (refused !== null) return reasonOf(refused);
  return hasEffect(decidedOn, payload) ? 'effective' : 'unchanged';
}

/** @throws Error for reasons of which none concerns a finding */
export function reasonOf(refused: Refusal): RefusalReason {
  switch (refused) {
    case 'unknown':
    case 'stale':
    case 'notFailed':
    case 'notAccepted':
    case 'tooMany':
    case 'clockAhead':
      return refused;
    default:
      throw new Error(`an act on a finding was refused as ${refused}`);
  }
}
