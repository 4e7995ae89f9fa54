import { useMemo } from 'react';
import { type Search, useSearch } from '../use-search.ts';
import { type QueriedList, withoutSet } from './query-text.ts';

/** For controls that set filters: a parameter replaces its term in the query text. The service refuses both together. */
export function useFilterSearch(list: QueriedList): Search {
  const search = useSearch();
  return useMemo(
    () => ({
      ...search,
      set: (changes, options) =>
        search.set((q) => {
          const wanted = typeof changes === 'function' ? changes(q) : changes;
          return { q: withoutSet(list, q, wanted), ...wanted };
        }, options),
    }),
    [search, list],
  );
}
