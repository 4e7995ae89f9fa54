import { useLocation } from 'react-router';
import { useAddress } from '../app/use-address.ts';

export interface Pages {
  cursor: string | undefined;
  /** From 1; null if a link opened this page, so that the number is unknown. */
  number: number | null;
  first: (() => void) | undefined;
  previous: (() => void) | undefined;
  next: (() => void) | undefined;
}

/** Cursors of the pages before this one, oldest first; the first page has none. */
type Trail = string[];

interface Page {
  nextCursor: string | null;
}

/**
 * Cursor paging, with the cursor in the address bar. A page opened by a link can only go to the first page.
 * @param list its query. While it shows the previous page, the cursor of that page leads to the wanted one
 */
export function usePages(list: { data: Page | undefined; isPlaceholderData: boolean }): Pages {
  const nextCursor = list.isPlaceholderData ? null : list.data?.nextCursor;
  const [params, change] = useAddress();
  const { state } = useLocation();
  const cursor = params.get('cursor') ?? undefined;
  const trail: Trail = (state as { trail?: Trail } | null)?.trail ?? [];
  const go = (to: string | undefined, through: Trail) =>
    change((address) => (to ? address.set('cursor', to) : address.delete('cursor')), {
      state: { trail: through },
    });
  return {
    cursor,
    number: cursor === undefined ? 1 : trail.length === 0 ? null : trail.length + 1,
    first: cursor === undefined ? undefined : () => go(undefined, []),
    previous: trail.length === 0 ? undefined : () => go(trail.at(-1), trail.slice(0, -1)),
    next: nextCursor ? () => go(nextCursor, [...trail, cursor ?? '']) : undefined,
  };
}
