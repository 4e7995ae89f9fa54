import { type Dispatch, type SetStateAction, useEffect, useState } from 'react';
import { draftOf, keepDraft } from './drafts.ts';

/**
 * A state of a form that survives a reload: it is kept in this tab while it differs from its first value, and until the form
 * is closed.
 * @param draft names it. What belongs to a version of something stored has the version in its name
 * @param kept the part of an object to keep: never a secret
 */
export function useKept<T>(
  draft: string,
  first: () => T,
  kept: (value: T) => unknown = (value) => value,
): [T, Dispatch<SetStateAction<T>>] {
  const [begun] = useState(first);
  const [value, setValue] = useState<T>(() => restored(draftOf(draft), begun));
  const text = JSON.stringify(kept(value));
  const isSame = text === JSON.stringify(kept(begun));
  useEffect(() => keepDraft(draft, isSame ? '' : text), [draft, text, isSame]);
  // Not run by a reload.
  useEffect(() => () => keepDraft(draft, ''), [draft]);
  return [value, setValue];
}

function restored<T>(text: string, begun: T): T {
  if (text === '') return begun;
  const given = JSON.parse(text) as T;
  const isObject = typeof begun === 'object' && begun !== null && !Array.isArray(begun);
  return isObject ? { ...begun, ...given } : given;
}
