import type { operations } from '../api/schema.ts';
import { useSearch } from '../parts/use-search.ts';

type ListQuery = NonNullable<operations['FindingsController_list']['parameters']['query']>;

/** Which findings are shown; the same for the list, its counts and its export. */
export type FindingFilter = Omit<ListQuery, 'limit' | 'cursor' | 'asOf' | 'sort'>;
export type FindingSort = NonNullable<ListQuery['sort']>;

export const TEXT_FILTERS = [
  { name: 'cve', label: 'CVE', placeholder: 'CVE-2021-44228' },
  { name: 'technique', label: 'ATT&CK technique', placeholder: 'T1059.001' },
  { name: 'source', label: 'Source', placeholder: 'Name of the tool' },
  { name: 'name', label: 'Name contains' },
  { name: 'assetId', label: 'Asset id' },
] as const;

/**
 * The filter that the address bar tells; whatever somebody wrote there goes to the service, which says what is wrong
 * with it.
 */
export function useFindingFilter(): FindingFilter {
  const search = useSearch();
  const texts = ['q', 'severityMin', ...TEXT_FILTERS.map(({ name }) => name)].flatMap((name) => {
    const value = search.get(name);
    return value === undefined ? [] : [[name, value]];
  });
  const lists = ['state', 'type'].flatMap((name) => {
    const values = search.list(name);
    return values.length === 0 ? [] : [[name, values]];
  });
  return Object.fromEntries([...texts, ...lists]) as FindingFilter;
}
