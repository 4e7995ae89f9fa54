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

/** The states whose end receivers see if the filter names none. */
const UNRESOLVED_STATES = ['Failed', 'NotAssessed', 'AcceptedFailed'];

/**
 * Whether a change matches. One that leaves one of the states matches with any severity: a finding that passes often
 * has the severity of a pass.
 */
export function matchesFilter(filter: ChangeFilter, event: ChangeEvent): boolean {
  if (event.kind !== 'finding') return true;
  const { severityMin = 0, states, types } = filter;
  const { type, severity, state } = event.changed;
  const { from } = event.changed.change;
  if (types && !types.includes(type)) return false;
  if (from !== null && from !== state && (states ?? UNRESOLVED_STATES).includes(from)) return true;
  return severity.value >= severityMin && (!states || states.includes(state));
}
