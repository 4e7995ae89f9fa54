import { t } from '@lingui/core/macro';
import { Group, MultiSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { typeNames } from '../parts/finding-type.ts';
import { stateNames } from '../parts/state.tsx';
import type { Search } from '../parts/use-search.ts';

/** Delay between the last key press and the request. */
const REST_MS = 300;

const options = (names: Record<string, string>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }));

export function AssetFindingsFilter({ search }: { search: Search }) {
  const asked = search.get('q') ?? '';
  const [text, setText] = useState(asked);
  useEffect(() => setText(asked), [asked]);
  const ask = useDebouncedCallback((words: string) => search.set({ q: words.trim() || undefined }), REST_MS);
  const [types, states] = [search.list('type'), search.list('state')];
  return (
    <Group gap="xs" mb="sm" align="flex-end">
      <TextInput
        type="search"
        size="xs"
        flex={1}
        miw={200}
        leftSection={<IconSearch size={14} aria-hidden />}
        placeholder={t`Name or description`}
        aria-label={t`Search the findings of this asset`}
        value={text}
        onChange={({ currentTarget: { value } }) => {
          setText(value);
          ask(value);
        }}
      />
      <MultiSelect
        size="xs"
        w={{ base: '100%', xs: 190 }}
        aria-label={t`Types`}
        placeholder={types.length === 0 ? t`Any type` : ''}
        data={options(typeNames())}
        value={types}
        onChange={(type) => search.set({ type })}
        clearable
      />
      <MultiSelect
        size="xs"
        w={{ base: '100%', xs: 190 }}
        aria-label={t`States`}
        placeholder={states.length === 0 ? t`Any state except retired` : ''}
        data={options(stateNames())}
        value={states}
        onChange={(state) => search.set({ state })}
        clearable
      />
    </Group>
  );
}
