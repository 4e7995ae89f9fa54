import { useCallback } from 'react';
import { type NavigateOptions, useSearchParams } from 'react-router';

export type ChangeAddress = (
  change: (params: URLSearchParams) => void,
  options?: Pick<NavigateOptions, 'replace' | 'state'>,
) => void;

/**
 * What the address bar says after its `?`, and how to change it. A change builds on the address itself: the router's
 * own form knows it as it was last rendered, and of two changes in quick succession it loses the first.
 */
export function useAddress(): [params: URLSearchParams, change: ChangeAddress] {
  const [params, setParams] = useSearchParams();
  const change = useCallback<ChangeAddress>(
    (change, options) => {
      const changed = new URLSearchParams(window.location.search);
      change(changed);
      setParams(changed, { ...options, preventScrollReset: true });
    },
    [setParams],
  );
  return [params, change];
}
