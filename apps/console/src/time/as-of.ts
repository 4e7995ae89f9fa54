import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';

export interface AsOf {
  /** The instant that the console shows, ISO 8601; null: now. */
  asOf: string | null;
  /** To spread into a query of any route that takes `asOf`. */
  query: { asOf?: string };
  /** Shows another instant, null the present; what else the address says stays, but pages start anew. */
  set: (asOf: string | null) => void;
}

/** The instant is in the address bar, so that a link shows what its sender saw. */
export function useAsOf(): AsOf {
  const [search, setSearch] = useSearchParams();
  const asOf = search.get('asOf');
  const set = useCallback(
    (instant: string | null) =>
      setSearch((before) => {
        const after = new URLSearchParams(before);
        after.delete('cursor');
        if (instant === null) after.delete('asOf');
        else after.set('asOf', instant);
        return after;
      }),
    [setSearch],
  );
  return useMemo(() => ({ asOf, query: asOf === null ? {} : { asOf }, set }), [asOf, set]);
}

/** `to` with the instant of the page it stands on. */
export function withAsOf(to: string, asOf: string | null): string {
  if (asOf === null) return to;
  const [path = '', search = ''] = to.split('?');
  const params = new URLSearchParams(search);
  params.set('asOf', asOf);
  return `${path}?${params}`;
}
