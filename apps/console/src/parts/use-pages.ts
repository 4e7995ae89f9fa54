import { useLocation } from 'react-router';
import { useAddress } from '../app/use-address.ts';

export interface Pages {
  cursor: string | undefined;
  /** From 1; null where a link led here, and nobody has counted. */
  number: number | null;
  first: (() => void) | undefined;
  previous: (() => void) | undefined;
  next: (() => void) | undefined;
}

/** Cursors of the pages before this one, oldest first; the first page has none. */
type Trail = string[];

/** Paging by cursors, the present one in the address bar. A link to a page in the middle leads back to the first. */
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
