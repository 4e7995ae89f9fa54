import { keepPreviousData } from '@tanstack/react-query';
import { useSearch } from '../parts/use-search.ts';
import { ON_ENTRY } from './act.ts';

/** Options of the query of a list that has pages. */
export const PAGED = { ...ON_ENTRY, placeholderData: keepPreviousData } as const;

/** Parameters of a list for the page that the address names. */
export function usePageParams() {
  const cursor = useSearch().get('cursor');
  return { query: { limit: 100, ...(cursor && { cursor }) } };
}
