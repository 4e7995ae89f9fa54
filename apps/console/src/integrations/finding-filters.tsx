import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, MultiSelect, Select, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { AppLink } from '../app/links.tsx';
import { parametersIn, textChanges, withoutTerms } from '../parts/query/query-text.ts';
import { levelNames } from '../parts/severity.tsx';
import { stateNames } from '../parts/state.tsx';
import type { Search } from '../parts/use-search.ts';
import { useTyped } from '../parts/use-typed.ts';

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
  // The parameter `severity` of this page is `severityMin` of the service.
  const searchFor = (text: string) => {
    const isFromSeverity = parametersIn('findings', text).includes('severityMin');
    search.set({ ...textChanges('findings', text), ...(isFromSeverity && { severity: undefined }) });
  };
  const { text, type, searchNow } = useTyped(q, searchFor, () => true);
  const setSeverity = (severity: string | null) =>
    search.set((text) =>
      severity === null
        ? { severity: undefined }
        : { q: withoutTerms('findings', text, ['severityMin']), severity },
    );
  return (
    <Group mb="sm" align="flex-end" gap="sm">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          searchNow(text);
        }}
      >
        <TextInput
          name="q"
          type="search"
          label={t`Search`}
          placeholder={t`Text, then Enter`}
          value={text}
          onChange={({ currentTarget: { value } }) => type(value)}
          leftSection={<IconSearch size={16} aria-hidden />}
          onBlur={() => searchNow(text)}
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
        onChange={setSeverity}
        clearable
        w={190}
      />
      <AppLink to={`/findings?source=${encodeURIComponent(source)}`} size="sm" mb={8}>
        <Trans>Show in Findings, with more filters</Trans>
      </AppLink>
    </Group>
  );
}
