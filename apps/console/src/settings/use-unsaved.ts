import type { Dispatch, SetStateAction } from 'react';
import { useKept } from '../parts/use-kept.ts';
import { useAsOf } from '../time/as-of.ts';

/**
 * Unsaved changes of settings, which survive a reload. While a past time is displayed, which permits no changes, there seem
 * to be none.
 * @param name as the `draft` of `useKept`
 */
export function useUnsaved<T>(name: string, none: T): [T, Dispatch<SetStateAction<T>>] {
  const [unsaved, setUnsaved] = useKept<T>(name, () => none);
  const { asOf } = useAsOf();
  return [asOf === null ? unsaved : none, setUnsaved];
}
