import { type Dispatch, type SetStateAction, useEffect, useState } from 'react';
import { draftOf, keepDraft } from './drafts.ts';

/**
 * A state of a form that survives a reload: it is kept in this tab while it differs from its first value, and until the form
 * is closed. If the first value is another one after the reload, it is dropped: it would undo what somebody else changed.
 * @param draft names it. What is sent with a version has the version in its name
 * @param kept the part of an object to keep: never a secret
 * @param start the part of the first value that must be the same after a reload
 */
export function useKept<T>(
  draft: string,
  first: () => T,
  kept: (value: T) => unknown = (value) => value,
  start: (value: T) => unknown = kept,
): [T, Dispatch<SetStateAction<T>>] {
  const [begun] = useState(first);
  const from = JSON.stringify(start(begun));
  const [value, setValue] = useState<T>(() => restored(draftOf(draft), begun, from));
  const to = JSON.stringify(kept(value));
  const isSame = to === JSON.stringify(kept(begun));
  useEffect(() => keepDraft(draft, isSame ? '' : JSON.stringify({ from, to })), [draft, from, to, isSame]);
  useDraftEnd(draft);
  return [value, setValue];
}

/** Removes what is kept under a name when the form is closed, but not at a reload. */
export const useDraftEnd = (draft: string): void => useEffect(() => () => keepDraft(draft, ''), [draft]);

function restored<T>(text: string, begun: T, from: string): T {
  if (text === '') return begun;
  const draft = JSON.parse(text) as { from?: string; to?: string } | null;
  if (draft?.from !== from || draft.to === undefined) return begun;
  const given = JSON.parse(draft.to) as T;
  const isObject = typeof begun === 'object' && begun !== null && !Array.isArray(begun);
  return isObject ? { ...begun, ...given } : given;
}
