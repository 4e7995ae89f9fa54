import { t } from '@lingui/core/macro';
import { valueIn } from '../parts/query/query-text.ts';
import { type Search, useSearch } from '../parts/use-search.ts';
import {
  FILTER_NAMES,
  type FindingFilter,
  type Grouping,
  LISTS,
  type OTHER_FILTERS,
  SINGLE,
  type TEXT_FILTERS,
} from './filter-names.ts';

export const groupingLabels = (): Record<Grouping, string> => ({
  cve: 'CVE',
  technique: t`ATT&CK technique`,
  asset: t`Asset`,
  title: t({ message: 'Title', context: 'name of a finding' }),
});

/** As the address has it; a value that the service does not know is one of its errors. */
export const groupingOf = (search: Search): Grouping | undefined => search.get('by') as Grouping | undefined;

/** Value of `state` in the address for all states but Retired. Without `state`, the list shows failed findings. */
export const ANY_STATE = 'any';

export const statesOf = (search: Search): string[] =>
  search.list('state').filter((state) => state !== ANY_STATE);

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

/** Whether the address has a filter, including `ANY_STATE`. */
export const isFilterGiven = (search: Search): boolean =>
  FILTER_NAMES.some((name) => search.get(name) !== undefined);

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

/** Whether every finding that matches has a due date. */
export function isDated(filter: FindingFilter): boolean {
  const givenTo = (name: 'dueBefore' | 'sla') => filter[name] ?? valueIn('findings', filter.q ?? '', name);
  return givenTo('dueBefore') !== undefined || ['due', 'overdue'].includes(givenTo('sla') ?? '');
}
