import { t } from '@lingui/core/macro';
import type { operations } from '../api/schema.ts';
import { CUSTOM_FIELD } from '../parts/query/query-text.ts';
import { type Search, useSearch } from '../parts/use-search.ts';

type ListQuery = NonNullable<operations['AssetsController_list']['parameters']['query']>;

/** Filter of the list, its counts and its export. */
export type AssetSort = ListQuery['sort'];

export type AssetFilter = Omit<ListQuery, 'limit' | 'cursor' | 'asOf' | 'sort'>;

/** Filters whose values the counts return. */
export const VALUE_FILTERS = ['type', 'department', 'location', 'attackSurface', 'criticality'] as const;

export const TEXT_FILTERS = ['name', 'source'] as const;

type NamedFilter = (typeof VALUE_FILTERS | typeof TEXT_FILTERS)[number];

export const filterLabels = (): Record<NamedFilter, string> => ({
  type: t`Type`,
  department: t`Department`,
  location: t`Location`,
  attackSurface: t`Attack surface`,
  criticality: t`Criticality`,
  name: t`Name starts with`,
  source: t`Source`,
});

const NAMES: readonly string[] = ['q', 'scored', 'notSeenDays', ...VALUE_FILTERS, ...TEXT_FILTERS];

/** Parameter of an address of all assets. Without a filter, a link leads to the default view of the user. */
export const WHOLE_LIST = { view: 'all' };

/** Whether the address has a filter, including `WHOLE_LIST`. */
export const isFilterGiven = (search: Search): boolean =>
  search.all().some(([name]) => isFilter(name) || name in WHOLE_LIST);

export const isFilter = (name: string): boolean => NAMES.includes(name) || name.startsWith(CUSTOM_FIELD);

/** The filter in the address bar. */
export function useAssetFilter(): AssetFilter {
  const given = useSearch()
    .all()
    .filter(([name]) => isFilter(name));
  // The client encodes values but not names, and names of custom fields can contain any character.
  return Object.fromEntries(given.map(([name, value]) => [encodeURIComponent(name), value]));
}
