import type { operations } from '../api/schema.ts';
import { type Search, useSearch } from '../parts/use-search.ts';

type ListQuery = NonNullable<operations['FindingsController_list']['parameters']['query']>;

/** Filter of the list, its counts and its export. */
export type FindingFilter = Omit<ListQuery, 'limit' | 'cursor' | 'asOf' | 'sort'>;
export type FindingSort = NonNullable<ListQuery['sort']>;

export const TEXT_FILTERS = [
  { name: 'cve', label: 'CVE', placeholder: 'CVE-2021-44228' },
  { name: 'technique', label: 'ATT&CK technique', placeholder: 'T1059.001' },
  { name: 'source', label: 'Source', placeholder: 'Tool name' },
  { name: 'name', label: 'Name contains' },
  { name: 'assetId', label: 'Asset ID' },
  { name: 'department', label: 'Department' },
  { name: 'location', label: 'Location' },
  { name: 'assetType', label: 'Asset type' },
  { name: 'criticality', label: 'Criticality' },
  { name: 'assignee', label: 'Assignee', placeholder: 'User or team' },
  { name: 'tag', label: 'Tag', placeholder: 'internet-facing' },
] as const;

/** Value of `state` in the address for all states. Without `state`, the list shows failed findings. */
export const ANY_STATE = 'any';

export const statesOf = (search: Search): string[] =>
  search.list('state').filter((state) => state !== ANY_STATE);

/** Filters without a control of their own: an address or a saved view has them. */
export const OTHER_FILTERS = [
  { name: 'ransomware', label: 'Used by ransomware' },
  { name: 'kev', label: 'Known exploited' },
  { name: 'acceptedUntilBefore', label: 'Acceptance ends before' },
  { name: 'plan', label: 'Plan' },
  { name: 'upload', label: 'Upload' },
] as const;

const LISTS = ['state', 'type', 'ssvc', 'severity'];
/** One value each. */
const SINGLE = [
  'q',
  'severityMin',
  'epssMin',
  'assigned',
  'dueBefore',
  'overdue',
  'sla',
  'firstSeenAfter',
  'firstSeenBefore',
  'settledAfter',
  'reopenedAfter',
  ...[...TEXT_FILTERS, ...OTHER_FILTERS].map(({ name }) => name),
];
const NAMES = [...LISTS, ...SINGLE];

/** Whether the address has a filter, including `ANY_STATE`. */
export const isFilterGiven = (search: Search): boolean =>
  NAMES.some((name) => search.get(name) !== undefined);

/**
 * The filter in the address bar, without validation: the service reports invalid values.
 */
export function useFindingFilter(): FindingFilter {
  const search = useSearch();
  const texts = SINGLE.flatMap((name) => {
    const value = search.get(name);
    return value === undefined ? [] : [[name, value]];
  });
  const lists = LISTS.flatMap((name) => {
    const values = name === 'state' ? statesOf(search) : search.list(name);
    return values.length === 0 ? [] : [[name, values]];
  });
  return Object.fromEntries([...texts, ...lists]) as FindingFilter;
}
