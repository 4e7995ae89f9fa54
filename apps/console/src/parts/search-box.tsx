import { CloseButton, Kbd, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';

const PAUSE_MS = 300;
const CHARACTERS_MAX = 200;

interface Props {
  label: string;
  /** What the address bar says. */
  value: string;
  onSearch: (text: string) => void;
}

/** Searches while one types, after a pause; `/` leads to it from anywhere on the page. */
export function SearchBox({ label, value, onSearch }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const { text, type, tellNow } = useTyped(value, onSearch);
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
          <CloseButton size="sm" aria-label="Clear the search" onClick={() => tellNow('')} />
        )
      }
      value={text}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      onKeyDown={({ key }) => {
        if (key === 'Enter') tellNow(text);
        if (key === 'Escape') tellNow('');
      }}
    />
  );
}

/**
 * What stands in the box: typed here, or changed elsewhere (the way back, a link). The address follows the typing late:
 * what comes back from there never takes a character that was typed meanwhile.
 */
function useTyped(value: string, onSearch: (text: string) => void) {
  const [text, setText] = useState(value);
  const told = useRef<string[]>([]);
  const timer = useRef<number>(undefined);
  const search = useRef(onSearch);
  search.current = onSearch;

  useEffect(() => {
    const own = told.current.indexOf(value);
    told.current = told.current.slice(own + 1);
    if (own >= 0) return;
    window.clearTimeout(timer.current);
    setText(value);
  }, [value]);
  useEffect(() => () => window.clearTimeout(timer.current), []);

  const tell = (typed: string) => {
    const wanted = typed.trim();
    if (wanted === (told.current.at(-1) ?? value)) return;
    told.current.push(wanted);
    search.current(wanted);
  };
  const type = (typed: string) => {
    setText(typed);
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => tell(typed), PAUSE_MS);
  };
  const tellNow = (typed: string) => {
    window.clearTimeout(timer.current);
    setText(typed);
    tell(typed);
  };
  return { text, type, tellNow };
}

/** By the character, not the key: on many keyboards it is typed with Shift. */
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
