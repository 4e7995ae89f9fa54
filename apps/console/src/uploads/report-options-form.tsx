import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, MultiSelect, Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { typeNames } from '../parts/finding-type.ts';
import type { ReportOptions } from './draft.ts';
import { previewWith } from './drafts.ts';

const types = () => Object.entries(typeNames()).map(([value, label]) => ({ value, label }));
const NAME_CHARACTERS_MAX = 1_000;

/** What a report does not state: its format, the asset, and whether it is a full assessment. */
export function ReportOptionsForm({ id, given }: { id: string; given: ReportOptions }) {
  const [options, setOptions] = useState(given);
  const formats = api.useQuery('get', '/api/v3/reports/formats');
  const known = (formats.data?.items ?? []).map(({ name, title }) => ({ value: name, label: title }));
  const isChanged = JSON.stringify(options) !== JSON.stringify(given);
  return (
    <Stack
      component="form"
      gap="sm"
      aria-label={t`Options of the report`}
      onSubmit={(event) => {
        event.preventDefault();
        previewWith(id, options);
      }}
    >
      <Group align="flex-end" gap="sm">
        <Select
          label={t`Format`}
          placeholder={t`Detected`}
          data={known}
          value={options.format || null}
          onChange={(format) => setOptions({ ...options, format: format ?? '' })}
          searchable
          clearable
          flex="1 1 220px"
        />
        <TextInput
          label={t`Asset`}
          placeholder={t`As in the report`}
          maxLength={NAME_CHARACTERS_MAX}
          value={options.asset}
          onChange={({ currentTarget: { value } }) => setOptions({ ...options, asset: value })}
          flex="1 1 220px"
        />
        <MultiSelect
          label={t`Full assessment of`}
          placeholder={options.replace.length === 0 ? t`No type` : ''}
          data={types()}
          value={options.replace}
          onChange={(replace) => setOptions({ ...options, replace })}
          clearable
          flex="1 1 220px"
        />
        <Button type="submit" variant="default" disabled={!isChanged}>
          <Trans>Preview with these options</Trans>
        </Button>
      </Group>
    </Stack>
  );
}
