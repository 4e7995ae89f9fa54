import type { ChangeEvent } from '#libs/contracts';

/** Which changes of findings a webhook is told of; what is left out filters nothing. Assets and scores are all told. */
export interface ChangeFilter {
  /** 0 to 10, as the finding has it after the change. */
  severityMin?: number;
  /** The finding has one of these states after the change, or had one before it. */
  states?: string[];
}

/** Whether a change is told. One that leaves a state that is asked for is told too: else nobody would hear of its end. */
export function passes({ severityMin = 0, states }: ChangeFilter, event: ChangeEvent): boolean {
  if (event.kind !== 'finding') return true;
  const { severity, state, change } = event.changed;
  if (severity.value < severityMin) return false;
  return !states || states.includes(state) || (change.from !== null && states.includes(change.from));
}
