import type { components } from '../../api/schema.ts';

type Due = Pick<components['schemas']['FindingDto'], 'due' | 'dueBy'>;

/** The date that a user has set, which is not that of the SLA; null: none. ISO time */
export const dueByUser = ({ due, dueBy }: Due): string | null => (dueBy === 'user' ? due : null);

/**
 * What a date of a form sets: a date that the user leaves as it is keeps its time of day.
 * @param seen the finding that the form has shown; undefined: the act is on many findings
 */
export function dueValueOf(date: string, seen: Due | undefined): string | null {
  const before = seen ? dueByUser(seen) : null;
  return before !== null && before.slice(0, 10) === date ? before : date || null;
}
