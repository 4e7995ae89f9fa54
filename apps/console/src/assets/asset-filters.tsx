import { plural, t } from '@lingui/core/macro';
import { Group, Stack } from '@mantine/core';
import { api } from '../api/client.ts';
import { FilterMenu } from '../parts/filters/filter-menu.tsx';
import { OneOf } from '../parts/filters/option-list.tsx';
import { TextFilters } from '../parts/filters/text-filters.tsx';
import { QueryBox } from '../parts/query/query-box.tsx';
import { withoutTerms } from '../parts/query/query-text.ts';
import { useFilterSearch } from '../parts/query/use-filter-search.ts';
import { levelWord } from '../parts/severity.tsx';
import { useAsOf } from '../time/as-of.ts';
import { filterLabels, useAssetFilter, VALUE_FILTERS } from './asset-filter.ts';
import { CustomFieldFilter } from './custom-field-filter.tsx';
import { useCustomFields } from './use-custom-fields.ts';
import { useKnownAssetValues } from './use-known-values.ts';

type ValueFilter = (typeof VALUE_FILTERS)[number];

/** Filters of the asset list. */
export function AssetFilters() {
  const search = useFilterSearch('assets');
  const fields = useCustomFields();
  const labels = filterLabels();
  return (
    <Stack gap="xs">
      <QueryBox
        list="assets"
        placeholder={t`Search names, addresses and tags, or filter: type:Server`}
        useKnownValues={useKnownAssetValues}
        fields={fields.map(({ name }) => name)}
      />
      <Group gap="xs">
        {VALUE_FILTERS.map((name) => (
          <FilterMenu key={name} label={labels[name]} chosen={search.get(name) === undefined ? 0 : 1}>
            {(close) => <Values name={name} onChosen={close} />}
          </FilterMenu>
        ))}
        <FilterMenu label={t`Score`} chosen={search.get('scored') === undefined ? 0 : 1}>
          {(close) => <Scored onChosen={close} />}
        </FilterMenu>
        <FilterMenu label={t`Not seen for`} chosen={search.get('notSeenDays') === undefined ? 0 : 1}>
          {(close) => <NotSeen onChosen={close} />}
        </FilterMenu>
        <CustomFieldFilter />
        <TextFilters
          search={search}
          filters={[
            { name: 'name', label: labels.name },
            { name: 'source', label: labels.source, placeholder: t`Tool name` },
          ]}
        />
      </Group>
    </Stack>
  );
}

/** Values that match the other filters, most assets first. */
function Values({ name, onChosen }: { name: ValueFilter; onChosen: () => void }) {
  const search = useFilterSearch('assets');
  const { [name]: _, q = '', ...others } = useAssetFilter();
  const text = withoutTerms('assets', q, [name]);
  const query = { ...others, ...(text !== '' && { q: text }), ...useAsOf().query };
  const { data } = api.useQuery('get', '/api/v3/assets/counts', { params: { query } }, { retry: false });
  const chosen = search.get(name);
  const wordOf = (value: string) => (name === 'criticality' ? levelWord(value) : value);
  const counts = Object.entries(data?.[name] ?? {}).filter(
    ([value]) => name !== 'criticality' || value !== 'none',
  );
  const isMissing = chosen !== undefined && !counts.some(([value]) => value === chosen);
  return (
    <OneOf
      label={filterLabels()[name]}
      options={[
        ...(isMissing ? [{ value: chosen, label: wordOf(chosen) }] : []),
        ...counts
          .toSorted(([, a], [, b]) => b - a)
          .map(([value, count]) => ({ value, label: wordOf(value), count })),
      ]}
      values={chosen === undefined ? [] : [chosen]}
      onChange={([value]) => {
        search.set({ [name]: value });
        onChosen();
      }}
    />
  );
}

export const scoredNames = (): Record<string, string> => ({ true: t`scored`, false: t`not scored` });

function Scored({ onChosen }: { onChosen: () => void }) {
  const search = useFilterSearch('assets');
  return (
    <OneOf
      label={t`Score`}
      options={[
        { value: 'true', label: t`Scored` },
        { value: 'false', label: t`Not scored` },
      ]}
      values={[search.get('scored') ?? ''].filter(Boolean)}
      onChange={([scored]) => {
        search.set({ scored });
        onChosen();
      }}
    />
  );
}

const NOT_SEEN_DAYS = [7, 30, 90, 365];

/** The address can have any text. */
export const daysText = (days: string | number): string =>
  Number.isFinite(Number(days)) ? plural(Number(days), { one: '# day', other: '# days' }) : String(days);

function NotSeen({ onChosen }: { onChosen: () => void }) {
  const search = useFilterSearch('assets');
  const chosen = search.get('notSeenDays');
  return (
    <OneOf
      label={t`Not seen for`}
      options={NOT_SEEN_DAYS.map((days) => ({ value: `${days}`, label: daysText(days) }))}
      values={chosen === undefined ? [] : [chosen]}
      onChange={([notSeenDays]) => {
        search.set({ notSeenDays });
        onChosen();
      }}
    />
  );
}
