import type { ChangeEvent } from '#libs/contracts';
import type { FindingType, posture2 } from '#libs/domain';

/** Filters changes of findings; an absent property filters nothing. Changes of assets and scores always match. */
export interface ChangeFilter {
  /** 0 to 10, as the finding has it after the change. */
  severityMin?: number;
  /** The finding has one of these states after the change, or had one before it. */
  states?: string[];
  /** The finding has one of these types. */
  types?: FindingType[];
  /** The SSVC decision at present; for tickets only. */
  ssvc?: posture2.SsvcDecision[];
}

/** Whether a change matches. One that leaves a requested state matches too, so that receivers see the state end. */
export function matchesFilter({ severityMin = 0, states, types }: ChangeFilter, event: ChangeEvent): boolean {
  if (event.kind !== 'finding') return true;
  const { type, severity, state, change } = event.changed;
  if (severity.value < severityMin || (types && !types.includes(type))) return false;
  return !states || states.includes(state) || (change.from !== null && states.includes(change.from));
}
