import type { components } from '../../api/schema.ts';
import { valueIn, withoutTerms } from '../../parts/query/query-text.ts';
import type { FindingFilter } from '../filter-names.ts';

export type BulkFilter = components['schemas']['BulkFilterDto'];
export type States = FindingFilter['state'];

/** The states of a filter, as a parameter or in its query text; undefined: all states except Retired. */
export function statesIn({ state, q = '' }: FindingFilter): States {
  return state ?? (valueIn('findings', q, 'state')?.split(',') as States);
}

/**
 * The filter for an action: with numbers, which an address has as texts, and without the states, which some actions
 * define: `statesIn`.
 */
export function bulkFilterOf({ state: _, severityMin, epssMin, q, ...filter }: FindingFilter): BulkFilter {
  const text = withoutTerms('findings', q ?? '', ['state']);
  return {
    ...filter,
    ...(text !== '' && { q: text }),
    ...(severityMin !== undefined && { severityMin: Number(severityMin) }),
    ...(epssMin !== undefined && { epssMin: Number(epssMin) }),
  };
}

/** The filter for an action that any state permits. */
export const withStates = (filter: BulkFilter, states: States): BulkFilter & { state?: States } => ({
  ...filter,
  ...(states && { state: states }),
});

/** As the parameters of an address. */
export function addressOf(filter: BulkFilter & { state?: States }): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filter)) {
    if (value !== undefined) query.set(name, String(value));
  }
  return query.toString();
}
