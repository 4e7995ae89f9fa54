import type { components, operations } from '../api/schema.ts';

type ListQuery = NonNullable<operations['FindingsController_list']['parameters']['query']>;

/** Filter of the list, its counts and its export. */
export type FindingFilter = Omit<ListQuery, 'limit' | 'cursor' | 'asOf' | 'sort'>;
export type FindingSort = NonNullable<ListQuery['sort']>;

/** What findings are grouped by: value of `by` in the address. */
export type Grouping = components['schemas']['FindingGroupsDto']['by'];

/** The filter that lists the findings of a group, with its key. */
export const KEY_FILTERS = {
  cve: 'cve',
  technique: 'technique',
  asset: 'assetId',
  title: 'title',
} as const satisfies Record<Grouping, keyof FindingFilter>;

export const TEXT_FILTERS = [
  'cve',
  'technique',
  'source',
  'name',
  'assetId',
  'department',
  'location',
  'assetType',
  'criticality',
  'assignee',
  'tag',
] as const;

/** Filters without a control of their own: an address or a saved view has them. */
export const OTHER_FILTERS = ['title', 'plan', 'upload'] as const;

/** Several values each. */
export const LISTS = ['state', 'type', 'ssvc', 'severity'] as const;

/** One value each. */
export const SINGLE = [
  'q',
  'severityMin',
  'epssMin',
  'kev',
  'ransomware',
  'acceptedUntilBefore',
  'assigned',
  'dueBefore',
  'sla',
  'firstSeenAfter',
  'firstSeenBefore',
  'settledAfter',
  'reopenedAfter',
  'failedAfter',
  ...TEXT_FILTERS,
  ...OTHER_FILTERS,
] as const;

/** All filters, by their names in the address. */
export const FILTER_NAMES = [...LISTS, ...SINGLE] as const satisfies readonly (keyof FindingFilter)[];
