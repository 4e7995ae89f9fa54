import { t } from '@lingui/core/macro';
import { CloseButton, Combobox, Kbd, Text, TextInput, useCombobox } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useSearch } from '../use-search.ts';
import { useSlash, useTyped } from '../use-typed.ts';
import classes from './query-box.module.css';
import { isInTerm, openTerm, suggest } from './query-terms.ts';
import { type QueriedList, textChanges } from './query-text.ts';

const CHARACTERS_MAX = 1000;

interface Props {
  list: QueriedList;
  placeholder: string;
  /** Known values of the filters without a closed set. @param wanted the one whose values are loaded */
  useKnownValues: (wanted: string | undefined) => (parameter: string) => readonly string[];
  /** Names of the custom fields by which the list is filtered. */
  fields?: readonly string[];
}

/**
 * The query text in the address: words, for which it searches while the user types, and filters, which apply on a
 * space, on Enter or when they are chosen from the list. The key `/` focuses it.
 */
export function QueryBox({ list, placeholder, useKnownValues, fields }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [isOpen, setOpen] = useState(false);
  /** Whether an arrow key has selected one of the present suggestions. */
  const [isSelecting, setSelecting] = useState(false);
  const { get, set } = useSearch();
  const q = get('q') ?? '';
  const search = (searched: string) => {
    set(textChanges(list, searched), { replace: q !== '' && searched !== '' });
  };
  const { text, type, searchNow } = useTyped(q, search, (typed) => isInTerm(list, typed));
  useSlash(input);
  const valuesOf = useKnownValues(openTerm(list, text)?.term.parameter);
  const suggestions = suggest(list, text, valuesOf, fields);
  const combobox = useCombobox({
    opened: isOpen && suggestions.length > 0,
    onOpenedChange: setOpen,
    onDropdownClose: () => combobox.resetSelectedOption(),
  });

  const change = (typed: string) => {
    type(typed);
    combobox.resetSelectedOption();
    setSelecting(false);
    combobox.openDropdown();
  };
  const choose = (chosen: string) => {
    if (isInTerm(list, chosen)) change(chosen);
    else {
      searchNow(chosen);
      combobox.closeDropdown();
    }
    input.current?.focus();
  };
  const submit = (typed: string) => {
    searchNow(typed);
    combobox.closeDropdown();
  };
  return (
    <Combobox store={combobox} onOptionSubmit={choose} width="target" position="bottom-start">
      <Combobox.Target
        withExpandedAttribute
        // The library keeps the id of a suggestion that is no longer shown.
        {...(!isSelecting && { 'aria-activedescendant': null })}
      >
        <TextInput
          ref={input}
          role="combobox"
          aria-label={t`Search and filter`}
          placeholder={placeholder}
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
              <CloseButton size="sm" aria-label={t`Clear the search`} onClick={() => submit('')} />
            )
          }
          value={text}
          onChange={({ currentTarget }) => change(currentTarget.value)}
          onBlur={() => submit(text)}
          onKeyDown={({ key }) => {
            if (key === 'ArrowDown' || key === 'ArrowUp') setSelecting(true);
            if (key === 'Enter' && combobox.getSelectedOptionIndex() < 0) submit(text);
            if (key === 'Escape' && !combobox.dropdownOpened) submit('');
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options aria-label={t`Suggestions`} className={classes.options}>
          {suggestions.map(({ text: whole, label, detail }) => (
            <Combobox.Option key={whole} value={whole}>
              <span className={classes.label} dir="auto">
                {label}
              </span>
              {detail !== null && (
                <Text component="small" size="xs" c="dimmed" lineClamp={1}>
                  {detail}
                </Text>
              )}
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
