import { Button, Group, Stack, Switch, Text, TextInput } from '@mantine/core';
import { type Api, api } from '../../api/client.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { namedComplaintOf, settled } from '../act.ts';
import { Refusal } from '../refusal.tsx';
import type { Kind, Option } from './kind.ts';

/** Adds one, or renames the one that is given. */
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
  const { fields, general } = namedComplaintOf(add.error ?? rename.error, (path) => path === 'name');
  return (
    <Dialog onClose={onClose} title={option ? `Rename ${option.name}` : `Add a ${kind.one}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          const name = String(form.get('name'));
          if (option) {
            // What is left out stays: the document's default is that of an addition.
            const body = { name } as Api['ChangeOptionDto'];
            const params = { path: { id: option.id } };
            rename.mutate({ params, body }, done(`${option.name} is ${name} now.`));
          } else {
            add.mutate({ body: { name, default: form.has('default') } }, done(`${name} is added.`));
          }
        }}
      >
        <Stack>
          <Refusal>{general}</Refusal>
          <TextInput
            name="name"
            label="Name"
            defaultValue={option?.name}
            error={fields.name}
            maxLength={200}
            data-autofocus
          />
          {option ? (
            <Text size="sm" c="dimmed">
              Assets that have it keep the name {option.name} until a signal says otherwise.
            </Text>
          ) : (
            <Switch
              name="default"
              label="Make it the default"
              description="It fills what no source has given, from now on."
            />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={add.isPending || rename.isPending}>
              {option ? 'Rename' : 'Add'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
