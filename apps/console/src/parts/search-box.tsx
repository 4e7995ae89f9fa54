import { CloseButton, Kbd, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';

const PAUSE_MS = 300;
const CHARACTERS_MAX = 200;

interface Props {
  label: string;
  /** Value in the address bar. */
  value: string;
  onSearch: (text: string) => void;
}

/** Searches while the user types, after a delay. The key `/` focuses it. */
export function SearchBox({ label, value, onSearch }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const { text, type, searchNow } = useTyped(value, onSearch);
  useSlash(input);
  return (
    <TextInput
      ref={input}
      type="search"
      aria-label={label}
      placeholder={label}
      maxLength={CHARACTERS_MAX}
      flex={1}
      miw={200}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        text === '' ? (
          <Kbd size="xs" aria-hidden visibleFrom="sm">
            /
          </Kbd>
        ) : (
          <CloseButton size="sm" aria-label="Clear the search" onClick={() => searchNow('')} />
        )
      }
      value={text}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      onKeyDown={({ key }) => {
        if (key === 'Enter') searchNow(text);
        if (key === 'Escape') searchNow('');
      }}
    />
  );
}

/**
 * Text of the box: typed, or changed by navigation. The address changes with a delay, so its own earlier values are
 * ignored and never overwrite newer input.
 */
function useTyped(value: string, onSearch: (text: string) => void) {
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
    timer.current = window.setTimeout(() => send(typed), PAUSE_MS);
  };
  const searchNow = (typed: string) => {
    window.clearTimeout(timer.current);
    setText(typed);
    send(typed);
  };
  return { text, type, searchNow };
}

/** Compares the character, not the key, because many keyboards need Shift for it. */
function useSlash(input: React.RefObject<HTMLInputElement | null>) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select');
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [input]);
}
