import { keepPreviousData } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { isRejectedSort } from '../parts/unsorted-note.tsx';
import { usePages } from '../parts/use-pages.ts';
import { useSearch } from '../parts/use-search.ts';
import { useAsOf } from '../time/as-of.ts';
import type { FindingSort } from './filter-names.ts';
import { groupingOf, useFindingFilter } from './finding-filter.ts';

const WORST_FIRST: FindingSort = '-severity';

/** One page of findings for the filter in the address bar, unless they are grouped, and the total once it is counted. */
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
  const isUnsorted = isRejectedSort(sorted.error);
  const unsorted = api.useQuery(
    'get',
    '/api/v3/findings',
    { params: { query: unsortedQuery } },
    { placeholderData: keepPreviousData, enabled: isUnsorted && !isGrouped },
  );
  const [list, query] = isUnsorted ? [unsorted, unsortedQuery] : [sorted, sortedQuery];
  const sort = isUnsorted ? undefined : wanted;
  const counts = api.useQuery(
    'get',
    '/api/v3/findings/counts',
    { params: { query: { ...filter, ...instant } } },
    // The rows load first, because counting is slower.
    { retry: false, enabled: isGrouped || (list.isSuccess && !list.isPlaceholderData) },
  );
  const pages = usePages(list);
  return { filter, sort, isUnsorted, instant, query, list, counts, pages };
}
