import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Autocomplete, Button, NativeSelect, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { FilterMenu } from '../parts/filters/filter-menu.tsx';
import { CUSTOM_FIELD } from '../parts/query/query-text.ts';
import { useFilterSearch } from '../parts/query/use-filter-search.ts';
import { useCustomFields } from './use-custom-fields.ts';

/** Filters by the value of a custom field. Hidden if no custom fields exist. */
export function CustomFieldFilter() {
  const fields = useCustomFields();
  const search = useFilterSearch('assets');
  const chosen = search.all().filter(([name]) => name.startsWith(CUSTOM_FIELD)).length;
  if (fields.length === 0) return null;
  return (
    <FilterMenu label={t`Custom field`} chosen={chosen}>
      {(close) => <FieldForm fields={fields} onSent={close} />}
    </FilterMenu>
  );
}

function FieldForm({
  fields,
  onSent,
}: {
  fields: readonly { name: string; options: string[] }[];
  onSent: () => void;
}) {
  const search = useFilterSearch('assets');
  const [name, setName] = useState(fields[0]!.name);
  const [value, setValue] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    search.set({ [CUSTOM_FIELD + name]: value.trim() });
    onSent();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm" w={260}>
        <NativeSelect
          label={t`Field`}
          data={fields.map((field) => field.name)}
          value={name}
          onChange={({ currentTarget }) => {
            setName(currentTarget.value);
            setValue('');
          }}
        />
        <Autocomplete
          label={t`Value`}
          description={t`Exact match`}
          data={fields.find((field) => field.name === name)?.options ?? []}
          value={value}
          onChange={setValue}
          maxLength={1000}
          required
          comboboxProps={{ withinPortal: false }}
        />
        <Button type="submit" ms="auto">
          <Trans>Filter</Trans>
        </Button>
      </Stack>
    </form>
  );
}
