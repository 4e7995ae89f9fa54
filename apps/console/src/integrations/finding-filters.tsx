import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, MultiSelect, Select, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { AppLink } from '../app/links.tsx';
import { levelNames } from '../parts/severity.tsx';
import { stateNames } from '../parts/state.tsx';
import type { Search } from '../parts/use-search.ts';

const levelOptions = () => [
  { value: 'critical', label: levelNames().critical },
  { value: 'high', label: t`High and above` },
  { value: 'medium', label: t`Medium and above` },
  { value: 'low', label: t`Low and above` },
];
const stateOptions = () => Object.entries(stateNames()).map(([value, label]) => ({ value, label }));

/** Filters of the Finding View. The findings page has more filters. */
export function FindingFilters({ search, source }: { search: Search; source: string }) {
  const q = search.get('q') ?? '';
  return (
    <Group mb="sm" align="flex-end" gap="sm">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          search.set({ q: String(new FormData(event.currentTarget).get('q')).trim() });
        }}
      >
        <TextInput
          key={q}
          name="q"
          type="search"
          label={t`Search`}
          placeholder={t`Text, then Enter`}
          defaultValue={q}
          leftSection={<IconSearch size={16} aria-hidden />}
          onBlur={({ currentTarget: { value } }) => value.trim() !== q && search.set({ q: value.trim() })}
        />
      </form>
      <MultiSelect
        label={t`State`}
        placeholder={search.list('state').length === 0 ? t`All except retired` : ''}
        data={stateOptions()}
        value={search.list('state')}
        onChange={(state) => search.set({ state })}
        clearable
        miw={190}
      />
      <Select
        label={t`Severity`}
        placeholder={t`Any`}
        data={levelOptions()}
        value={search.get('severity') ?? null}
        onChange={(severity) => search.set({ severity: severity ?? undefined })}
        clearable
        w={190}
      />
      <AppLink to={`/findings?source=${encodeURIComponent(source)}`} size="sm" mb={8}>
        <Trans>Show in Findings, with more filters</Trans>
      </AppLink>
    </Group>
  );
}
