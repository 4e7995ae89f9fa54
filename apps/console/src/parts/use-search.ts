import { useCallback, useMemo } from 'react';
import { useAddress } from '../app/use-address.ts';

/** Parameters to set; removed if undefined or empty. */
type Changes = Record<string, string | string[] | undefined>;

export interface Search {
  get: (name: string) => string | undefined;
  /** Alternatives, separated by commas in the address. */
  list: (name: string) => string[];
  /**
   * Changes the parameters. The list restarts at its first page.
   * @param changes or a function of the present query text, which returns them
   * @param replace replaces the entry in the browser history
   */
  set: (changes: Changes | ((q: string) => Changes), options?: { replace?: boolean }) => void;
  /** All parameters that are set. */
  all: () => [name: string, value: string][];
}

/** The address bar contains filters, order and page of a list, so that links can be shared. */
export function useSearch(): Search {
  const [params, change] = useAddress();
  const set = useCallback<Search['set']>(
    (changes, { replace = false } = {}) =>
      change(
        (address) => {
          address.delete('cursor');
          const wanted = typeof changes === 'function' ? changes(address.get('q') ?? '') : changes;
          for (const [name, value] of Object.entries(wanted)) {
            if (value === undefined || value.length === 0) address.delete(name);
            else address.set(name, String(value));
          }
        },
        { replace },
      ),
    [change],
  );
  return useMemo(
    () => ({
      get: (name) => params.get(name) || undefined,
      list: (name) => params.get(name)?.split(',').filter(Boolean) ?? [],
      set,
      all: () => [...params].filter(([, value]) => value !== ''),
    }),
    [params, set],
  );
}
