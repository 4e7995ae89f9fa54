import { keepPreviousData } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { rejectedSort } from '../parts/rejected-sort.ts';
import { usePages } from '../parts/use-pages.ts';
import { useSearch } from '../parts/use-search.ts';
import { useAsOf } from '../time/as-of.ts';
import type { FindingSort } from './filter-names.ts';
import { groupingOf, isDated, useFindingFilter } from './finding-filter.ts';

const WORST_FIRST: FindingSort = '-severity';

/** One page of findings for the filter in the address bar, unless they are grouped, and the total once it is counted, if it can be. */
export function useFindings(limit: number) {
  const search = useSearch();
  const { query: instant } = useAsOf();
  const filter = useFindingFilter();
  const wanted = (search.get('sort') as FindingSort | undefined) ?? WORST_FIRST;
  const cursor = search.get('cursor');
  const isGrouped = groupingOf(search) !== undefined;
  const unsortedQuery = { ...filter, limit, ...(cursor && { cursor }), ...instant };
  const sortedQuery = { ...unsortedQuery, sort: wanted };
  const sorted = api.useQuery(
    'get',
    '/api/v3/findings',
    { params: { query: sortedQuery } },
    { placeholderData: keepPreviousData, enabled: !isGrouped },
  );
  const whyUnsorted = rejectedSort(sorted.error);
  const unsorted = api.useQuery(
    'get',
    '/api/v3/findings',
    { params: { query: unsortedQuery } },
    { placeholderData: keepPreviousData, enabled: whyUnsorted !== null && !isGrouped },
  );
  const [list, query] = whyUnsorted ? [unsorted, unsortedQuery] : [sorted, sortedQuery];
  const sort = whyUnsorted ? undefined : wanted;
  // The list by due date has only these (R-TRIAGE-6), and counts have no order.
  const hasOnlyDated = (sort === 'due' || sort === '-due') && !isDated(filter);
  const counts = api.useQuery(
    'get',
    '/api/v3/findings/counts',
    { params: { query: { ...filter, ...instant } } },
    // The rows load first, because counting is slower.
    { retry: false, enabled: !hasOnlyDated && (isGrouped || (list.isSuccess && !list.isPlaceholderData)) },
  );
  const pages = usePages(list);
  const total = hasOnlyDated ? undefined : counts.data?.total;
  const isCounting = !hasOnlyDated && counts.isPending;
  return { filter, sort, whyUnsorted, hasOnlyDated, instant, query, list, total, isCounting, pages };
}
