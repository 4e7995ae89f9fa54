import { useCallback, useMemo } from 'react';
import { useAddress } from '../app/use-address.ts';

export interface Search {
  get: (name: string) => string | undefined;
  /** Alternatives, separated by commas in the address. */
  list: (name: string) => string[];
  /**
   * Sets parameters, or removes them if undefined or empty. The list restarts at its first page.
   * @param replace replaces the entry in the browser history
   */
  set: (changes: Record<string, string | string[] | undefined>, options?: { replace?: boolean }) => void;
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
          for (const [name, value] of Object.entries(changes)) {
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
