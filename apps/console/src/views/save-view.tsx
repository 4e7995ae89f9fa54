import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Stack, Switch, Text, TextInput } from '@mantine/core';
import { api } from '../api/client.ts';
import { Dialog } from '../parts/dialog.tsx';
import { FormButtons } from '../parts/form-buttons.tsx';
import { useKeptFields } from '../parts/use-kept-fields.ts';
import { useMay } from '../session/session.ts';
import { namedFormErrorsOf, settled } from '../settings/act.ts';
import { FormError } from '../settings/form-error.tsx';
import type { ViewedList } from './view-address.ts';

/** Saves the filters and the order of the address under a name. */
export function SaveView({ list, query, onClose }: { list: ViewedList; query: string; onClose: () => void }) {
  const mayShare = useMay('findings:triage');
  const keptFields = useKeptFields('new view');
  const save = api.useMutation('post', '/api/v3/views', {
    onSuccess: (view) => {
      onClose();
      const saved = view.name;
      void settled(view, t`${saved} was saved.`);
    },
  });
  const { fields, general } = namedFormErrorsOf(save.error, (path) => path === 'name');
  return (
    <Dialog onClose={onClose} title={t`Save as a view`}>
      <form
        ref={keptFields}
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          save.mutate({
            body: {
              name: String(form.get('name')),
              list,
              query,
              shared: form.has('shared'),
              default: form.has('default'),
            },
          });
        }}
      >
        <Stack>
          <Text size="sm">
            <Trans>The view contains the filters and the order of the list.</Trans>
          </Text>
          <FormError>{general}</FormError>
          <TextInput
            name="name"
            label={t`Name`}
            error={fields.name}
            maxLength={100}
            autoComplete="off"
            data-autofocus
          />
          <Switch
            name="default"
            label={t`Open the list with it`}
            description={t`Only for you. It replaces your previous default.`}
          />
          {mayShare && (
            <Switch
              name="shared"
              label={t`Share it`}
              description={t`Everyone who can read the list sees the view. It shows each user only the rows that the user can see.`}
            />
          )}
          <FormButtons act={t`Save`} isBusy={save.isPending} onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
