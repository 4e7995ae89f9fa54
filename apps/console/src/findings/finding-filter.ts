import { t } from '@lingui/core/macro';
import type { Api } from '../api/client.ts';
import type { operations } from '../api/schema.ts';
import { type Search, useSearch } from '../parts/use-search.ts';

type ListQuery = NonNullable<operations['FindingsController_list']['parameters']['query']>;

/** Filter of the list, its counts and its export. */
export type FindingFilter = Omit<ListQuery, 'limit' | 'cursor' | 'asOf' | 'sort'>;
export type FindingSort = NonNullable<ListQuery['sort']>;

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

/** What findings are grouped by: value of `by` in the address. */
export type Grouping = Api['FindingGroupsDto']['by'];

/** The filter that lists the findings of a group, with its key. */
export const KEY_FILTERS = {
  cve: 'cve',
  technique: 'technique',
  asset: 'assetId',
  title: 'title',
} as const satisfies Record<Grouping, keyof FindingFilter>;

export const groupingLabels = (): Record<Grouping, string> => ({
  cve: 'CVE',
  technique: t`ATT&CK technique`,
  asset: t`Asset`,
  title: t({ message: 'Title', context: 'name of a finding' }),
});

/** As the address has it; a value that the service does not know is one of its errors. */
export const groupingOf = (search: Search): Grouping | undefined => search.get('by') as Grouping | undefined;

/** Value of `state` in the address for all states. Without `state`, the list shows failed findings. */
export const ANY_STATE = 'any';

export const statesOf = (search: Search): string[] =>
  search.list('state').filter((state) => state !== ANY_STATE);

/** Filters without a control of their own: an address or a saved view has them. */
export const OTHER_FILTERS = ['title', 'plan', 'upload'] as const;

type NamedFilter = (typeof TEXT_FILTERS | typeof OTHER_FILTERS)[number];

export const filterLabels = (): Record<NamedFilter, string> => ({
  cve: 'CVE',
  technique: t`ATT&CK technique`,
  source: t`Source`,
  name: t`Name contains`,
  assetId: t`Asset ID`,
  department: t`Department`,
  location: t`Location`,
  assetType: t`Asset type`,
  criticality: t`Criticality`,
  assignee: t`Assignee`,
  tag: t({ message: 'Tag', context: 'label of a finding' }),
  title: t({ message: 'Title', context: 'name of a finding' }),
  plan: t({ message: 'Plan', context: 'remediation plan' }),
  upload: t({ message: 'Upload', context: 'noun' }),
});

const LISTS = ['state', 'type', 'ssvc', 'severity'];
/** One value each. */
const SINGLE = [
  'q',
  'severityMin',
  'epssMin',
  'kev',
  'ransomware',
  'acceptedUntilBefore',
  'assigned',
  'dueBefore',
  'overdue',
  'sla',
  'firstSeenAfter',
  'firstSeenBefore',
  'settledAfter',
  'reopenedAfter',
  ...TEXT_FILTERS,
  ...OTHER_FILTERS,
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
