import { keepPreviousData } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { rejectedSort } from '../parts/rejected-sort.ts';
import { usePages } from '../parts/use-pages.ts';
import { useSearch } from '../parts/use-search.ts';
import { useAsOf } from '../time/as-of.ts';
import { type AssetSort, useAssetFilter } from './asset-filter.ts';

const WORST_FIRST = '-score';

/** One page of assets for the filter in the address bar, and the total once it is counted. */
export function useAssets(limit: number) {
  const search = useSearch();
  const { query: instant } = useAsOf();
  const filter = useAssetFilter();
  const wanted = (search.get('sort') ?? WORST_FIRST) as AssetSort;
  const cursor = search.get('cursor');
  const query = { ...filter, limit, ...(cursor && { cursor }), ...instant };
  const sorted = api.useQuery(
    'get',
    '/api/v3/assets',
    { params: { query: { ...query, sort: wanted } as object } },
    { placeholderData: keepPreviousData },
  );
  const whyUnsorted = rejectedSort(sorted.error);
  const unsorted = api.useQuery(
    'get',
    '/api/v3/assets',
    { params: { query: query as object } },
    { placeholderData: keepPreviousData, enabled: whyUnsorted !== null },
  );
  const list = whyUnsorted ? unsorted : sorted;
  const sort = whyUnsorted ? undefined : wanted;
  const counts = api.useQuery(
    'get',
    '/api/v3/assets/counts',
    { params: { query: { ...filter, ...instant } } },
    // The rows load first, because counting is slower.
    { retry: false, enabled: list.isSuccess && !list.isPlaceholderData },
  );
  const pages = usePages(list);
  return { filter, sort, whyUnsorted, instant, list, counts, pages };
}
