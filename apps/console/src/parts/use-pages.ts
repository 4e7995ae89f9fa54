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

/** Cursor paging, with the cursor in the address bar. A page opened by a link can only go to the first page. */
export function usePages(nextCursor: string | null | undefined): Pages {
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
