import { useEffect, useRef, useState } from 'react';

const PAUSE_MS = 300;

/**
 * Text of the box: typed, or changed by navigation. The address changes with a delay, so its own earlier values are
 * ignored and never overwrite newer input.
 * @param isIncomplete whether a typed text waits until it is sent by `searchNow`
 */
export function useTyped(
  value: string,
  onSearch: (text: string) => void,
  isIncomplete = (_typed: string) => false,
) {
  const [text, setText] = useState(value);
  const sent = useRef<string[]>([]);
  const timer = useRef<number>(undefined);
  const search = useRef(onSearch);
  search.current = onSearch;

  useEffect(() => {
    const own = sent.current.indexOf(value);
    sent.current = sent.current.slice(own + 1);
    if (own >= 0) return;
    window.clearTimeout(timer.current);
    setText(value);
  }, [value]);
  useEffect(() => () => window.clearTimeout(timer.current), []);

  const send = (typed: string) => {
    const wanted = typed.trim();
    if (wanted === (sent.current.at(-1) ?? value)) return;
    sent.current.push(wanted);
    search.current(wanted);
  };
  const type = (typed: string) => {
    setText(typed);
    window.clearTimeout(timer.current);
    if (!isIncomplete(typed)) timer.current = window.setTimeout(() => send(typed), PAUSE_MS);
  };
  const searchNow = (typed: string) => {
    window.clearTimeout(timer.current);
    setText(typed);
    send(typed);
  };
  return { text, type, searchNow };
}

/** Compares the character, not the key, because many keyboards need Shift for it. */
export function useSlash(input: React.RefObject<HTMLInputElement | null>) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // In a dialog, the box is behind it.
      const isTyping =
        event.target instanceof Element && event.target.closest('input, textarea, select, [role="dialog"]');
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [input]);
}
