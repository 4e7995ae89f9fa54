import type { ChangeEvent } from '#libs/contracts';

/** Filters changes of findings; an absent property filters nothing. Changes of assets and scores always match. */
export interface ChangeFilter {
  /** 0 to 10, as the finding has it after the change. */
  severityMin?: number;
  /** The finding has one of these states after the change, or had one before it. */
  states?: string[];
}

/** Whether a change matches. One that leaves a requested state matches too, so that receivers see the state end. */
export function matchesFilter({ severityMin = 0, states }: ChangeFilter, event: ChangeEvent): boolean {
  if (event.kind !== 'finding') return true;
  const { severity, state, change } = event.changed;
  if (severity.value < severityMin) return false;
  return !states || states.includes(state) || (change.from !== null && states.includes(change.from));
}
