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

/** The states whose end receivers see. */
export const openStates = ({ states = ['Failed'] }: ChangeFilter): string[] => states;

/**
 * Whether a change matches. One that leaves an open state matches with any severity: a finding that passes often has
 * the severity of a pass.
 */
export function matchesFilter(filter: ChangeFilter, event: ChangeEvent): boolean {
  if (event.kind !== 'finding') return true;
  const { severityMin = 0, states, types } = filter;
  const { type, severity, state, change } = event.changed;
  if (types && !types.includes(type)) return false;
  if (change.from !== null && change.from !== state && openStates(filter).includes(change.from)) return true;
  return severity.value >= severityMin && (!states || states.includes(state));
}
