import { t } from '@lingui/core/macro';
import { Group, MultiSelect, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { typeNames } from '../parts/finding-type.ts';
import { isInTerm } from '../parts/query/query-terms.ts';
import { textChanges } from '../parts/query/query-text.ts';
import { stateNames } from '../parts/state.tsx';
import type { Search } from '../parts/use-search.ts';
import { useTyped } from '../parts/use-typed.ts';

const options = (names: Record<string, string>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }));

export function AssetFindingsFilter({ search }: { search: Search }) {
  const q = search.get('q') ?? '';
  const { text, type, searchNow } = useTyped(
    q,
    (searched) => search.set(textChanges('findings', searched), { replace: q !== '' && searched !== '' }),
    (typed) => isInTerm('findings', typed),
  );
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
        onChange={({ currentTarget: { value } }) => type(value)}
        onBlur={() => searchNow(text)}
        onKeyDown={({ key }) => key === 'Enter' && searchNow(text)}
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
