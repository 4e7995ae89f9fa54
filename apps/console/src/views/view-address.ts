import { isFilter as isAssetFilter, WHOLE_LIST } from '../assets/asset-filter.ts';
import { FILTER_NAMES } from '../findings/filter-names.ts';
import { ANY_STATE } from '../findings/finding-filter.ts';
import type { Search } from '../parts/use-search.ts';

export type ViewedList = 'findings' | 'assets';

const OF_FINDINGS: readonly string[] = [...FILTER_NAMES, 'by', 'sort'];

const isOfView = (list: ViewedList, name: string): boolean =>
  list === 'findings' ? OF_FINDINGS.includes(name) : name === 'sort' || isAssetFilter(name);

/** The query of a view with the filters, the order and the grouping of the address, which can have other parameters. */
export const queryOfAddress = (list: ViewedList, search: Search): string =>
  new URLSearchParams(
    search
      .all()
      .filter(([name, value]) => isOfView(list, name) && !(name === 'state' && value === ANY_STATE)),
  ).toString();

/** The parameters of the address that show a view. */
export function addressOfView({ list, query }: { list: ViewedList; query: string }): URLSearchParams {
  const params = new URLSearchParams();
  // Alternatives are separated by commas in the address.
  for (const [name, value] of new URLSearchParams(query)) {
    const before = params.get(name);
    params.set(name, before === null ? value : `${before},${value}`);
  }
  // Without these, the address means the default of the list.
  if (list === 'findings' && !params.has('state')) params.set('state', ANY_STATE);
  const hasFilter = [...params.keys()].some((name) => name !== 'sort');
  if (list === 'assets' && !hasFilter) params.set('view', WHOLE_LIST.view);
  return params;
}

/** Whether two queries have the same parameters, in any order. */
export const isSameQuery = (one: string, other: string): boolean => sorted(one) === sorted(other);

function sorted(query: string): string {
  const params = new URLSearchParams(query);
  params.sort();
  return params.toString();
}
