import { useCallback } from 'react';
import { type NavigateOptions, useSearchParams } from 'react-router';

export type ChangeAddress = (
  change: (params: URLSearchParams) => void,
  options?: Pick<NavigateOptions, 'replace' | 'state'>,
) => void;

/**
 * Reads and changes the query of the address bar. A change starts from the address itself: the router only knows the
 * last rendered query, and would lose the first of two changes in quick succession.
 */
export function useAddress(): [params: URLSearchParams, change: ChangeAddress] {
  const [params, setParams] = useSearchParams();
  const change = useCallback<ChangeAddress>(
    (change, options) => {
      const changed = new URLSearchParams(window.location.search);
      change(changed);
      const state = { ...options?.state, isChange: true };
      setParams(changed, { ...options, state, preventScrollReset: true });
    },
    [setParams],
  );
  return [params, change];
}
