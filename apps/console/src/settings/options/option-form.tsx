import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Stack, Switch, Text, TextInput } from '@mantine/core';
import { type Api, api } from '../../api/client.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { FormButtons } from '../../parts/form-buttons.tsx';
import { useKeptFields } from '../../parts/use-kept-fields.ts';
import { namedFormErrorsOf, settled } from '../act.ts';
import { FormError } from '../form-error.tsx';
import type { Kind, Option } from './kind.ts';

/** Adds an option, or renames `option`. */
export function OptionForm({
  kind,
  option,
  onClose,
}: {
  kind: Kind;
  option: Option | null;
  onClose: () => void;
}) {
  const done = (sentence: string) => ({
    onSuccess: (answer: unknown) => {
      onClose();
      void settled(answer, sentence);
    },
  });
  const add = api.useMutation('post', kind.path);
  const rename = api.useMutation('patch', `${kind.path}/{id}`);
  const { fields, general } = namedFormErrorsOf(add.error ?? rename.error, (path) => path === 'name');
  const oldName = option?.name ?? '';
  const keptFields = useKeptFields(`${kind.path} ${oldName}`);
  return (
    <Dialog onClose={onClose} title={option ? t`Rename ${oldName}` : kind.add}>
      <form
        ref={keptFields}
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          const name = String(form.get('name'));
          if (option) {
            // Absent fields keep their value. The defaults in the API document apply to new options.
            const body = { name } as Api['ChangeOptionDto'];
            const params = { path: { id: option.id } };
            rename.mutate({ params, body }, done(t`${oldName} was renamed to ${name}.`));
          } else {
            add.mutate({ body: { name, default: form.has('default') } }, done(t`${name} was added.`));
          }
        }}
      >
        <Stack>
          <FormError>{general}</FormError>
          <TextInput
            name="name"
            label={t`Name`}
            defaultValue={oldName}
            error={fields.name}
            maxLength={200}
            data-autofocus
          />
          {option ? (
            <Text size="sm" c="dimmed">
              <Trans>
                Assets keep the name <bdi>{oldName}</bdi> until a signal changes it.
              </Trans>
            </Text>
          ) : (
            <Switch
              name="default"
              label={t`Set as default`}
              description={t`Used for new signals if no source provides a value.`}
            />
          )}
          <FormButtons
            act={option ? t`Rename` : t`Add`}
            isBusy={add.isPending || rename.isPending}
            onClose={onClose}
          />
        </Stack>
      </form>
    </Dialog>
  );
}
