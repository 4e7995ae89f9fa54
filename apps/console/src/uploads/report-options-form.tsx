import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, MultiSelect, Select, Stack, TextInput } from '@mantine/core';
import { api } from '../api/client.ts';
import { typeOptions } from '../parts/finding-type.ts';
import { type Draft, hasEditedOptions, type ReportOptions } from './draft.ts';
import { editOptions, previewEdited } from './drafts.ts';

const NAME_CHARACTERS_MAX = 1_000;

/** What a report does not state: its format, the asset, and whether it is a full assessment. */
export function ReportOptionsForm({ draft }: { draft: Draft }) {
  const { edited } = draft;
  const edit = (changed: Partial<ReportOptions>) => editOptions(draft.id, { ...edited, ...changed });
  const formats = api.useQuery('get', '/api/v3/reports/formats');
  const known = (formats.data?.items ?? []).map(({ name, title }) => ({ value: name, label: title }));
  return (
    <Stack
      component="form"
      gap="sm"
      aria-label={t`Options of the report`}
      onSubmit={(event) => {
        event.preventDefault();
        previewEdited(draft);
      }}
    >
      <Group align="flex-end" gap="sm">
        <Select
          label={t`Format`}
          placeholder={t`Detected`}
          data={known}
          value={edited.format || null}
          onChange={(format) => edit({ format: format ?? '' })}
          searchable
          clearable
          flex="1 1 220px"
        />
        <TextInput
          label={t`Asset`}
          placeholder={t`As in the report`}
          maxLength={NAME_CHARACTERS_MAX}
          value={edited.asset}
          onChange={({ currentTarget: { value } }) => edit({ asset: value })}
          flex="1 1 220px"
        />
        <MultiSelect
          label={t`Full assessment of`}
          placeholder={edited.replace.length === 0 ? t`No type` : ''}
          data={typeOptions()}
          value={edited.replace}
          onChange={(replace) => edit({ replace })}
          clearable
          flex="1 1 220px"
        />
        <Button type="submit" variant="default" disabled={!hasEditedOptions(draft)}>
          <Trans>Preview with these options</Trans>
        </Button>
      </Group>
    </Stack>
  );
}
