import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, NativeSelect, Paper, TextInput } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import type { Search } from '../../parts/use-search.ts';
import { instantOfInput, localInput, ownZoneNote } from '../../time/local-input.ts';
import { ACTIONS } from './acts.ts';
import classes from './audit.module.css';

const TEXTS = ['user', 'target', 'requestId'] as const;
const TIMES = ['from', 'to'] as const;

export const FILTERS = [...TEXTS, 'action', ...TIMES] as const;

export function AuditFilters({ search }: { search: Search }) {
  const isFiltered = FILTERS.some((name) => search.get(name) !== undefined);
  return (
    <Paper withBorder p="md">
      <form
        // The fields follow other changes of the address.
        key={FILTERS.map((name) => search.get(name)).join('\n')}
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          const text = (name: string) => String(form.get(name)).trim();
          search.set({
            ...Object.fromEntries([...TEXTS, 'action'].map((name) => [name, text(name)])),
            ...Object.fromEntries(TIMES.map((name) => [name, instantOf(text(name), search.get(name))])),
          });
        }}
      >
        <div className={classes.filters}>
          <TextInput name="user" label={t`User`} defaultValue={search.get('user')} />
          <NativeSelect
            name="action"
            label={t`Action`}
            defaultValue={search.get('action') ?? ''}
            data={[
              { value: '', label: t({ message: 'Any', context: 'actions' }) },
              ...Object.entries(ACTIONS).map(([value, label]) => ({ value, label: i18n._(label) })),
            ]}
          />
          {TIMES.map((name) => (
            <TextInput
              key={name}
              name={name}
              label={name === 'from' ? t`From` : t`Before`}
              description={ownZoneNote()}
              // Below, so that the inputs of a row are on one line.
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              type="datetime-local"
              step={1}
              defaultValue={inputOf(search.get(name))}
            />
          ))}
          <TextInput name="target" label={t`Target ID`} dir="ltr" defaultValue={search.get('target')} />
          <TextInput
            name="requestId"
            label={t`Request ID`}
            dir="ltr"
            defaultValue={search.get('requestId')}
          />
          {/* Below the height of a label. */}
          <Group gap="xs" pt={22}>
            <Button type="submit" variant="default" leftSection={<IconFilter size={16} aria-hidden />}>
              <Trans>Filter</Trans>
            </Button>
            {isFiltered && (
              <Button
                variant="subtle"
                onClick={() => search.set(Object.fromEntries(FILTERS.map((name) => [name, undefined])))}
              >
                <Trans>Clear</Trans>
              </Button>
            )}
          </Group>
        </div>
      </form>
    </Paper>
  );
}

/** @param before the instant that the input was filled with */
const instantOf = (local: string, before: string | undefined): string | undefined =>
  local === '' ? undefined : new Date(instantOfInput(local, Date.parse(before ?? ''))).toISOString();

const inputOf = (iso: string | undefined): string => {
  const at = Date.parse(iso ?? '');
  return Number.isNaN(at) ? '' : localInput(at);
};
