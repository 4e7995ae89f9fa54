import { Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconTrash } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { api } from '../api/client.ts';
import { useGo } from '../app/links.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { sentenceOf } from '../parts/states.tsx';
import type { Integration } from './kinds.ts';
import { Notice } from './notice.tsx';
import { asSentence } from './sync-words.ts';
import { refreshList } from './use-last-sync.ts';

export function RemoveIntegration({
  integration,
  isDisabled,
}: {
  integration: Integration;
  isDisabled: boolean;
}) {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <Paper withBorder p="md">
      <Group justify="space-between">
        <div>
          <Text fw={600}>Remove this integration</Text>
          <Text size="sm" c="dimmed">
            Its configuration and secret are deleted, and a sync of it stops. Assets and findings that it
            brought stay.
          </Text>
        </div>
        <Button
          variant="outline"
          color="red"
          leftSection={<IconTrash size={18} aria-hidden />}
          disabled={isDisabled}
          onClick={open}
        >
          Remove
        </Button>
      </Group>
      {isOpen && (
        <Dialog onClose={close} title={`Remove ${integration.name}?`} centered>
          <Confirmation integration={integration} onCancel={close} />
        </Dialog>
      )}
    </Paper>
  );
}

/** Whoever types the name means this one. */
function Confirmation({
  integration: { id, name },
  onCancel,
}: {
  integration: Integration;
  onCancel: () => void;
}) {
  const [typed, setTyped] = useState('');
  const go = useGo();
  const remove = api.useMutation('delete', '/integrations/{id}', {
    onSuccess: async (removed) => {
      go('/integrations');
      await refreshList();
      const message = 'id' in removed ? `${name} is removed.` : `${name} will be gone in a moment.`;
      notifications.show({ message });
    },
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    if (typed.trim() === name) remove.mutate({ params: { path: { id } } });
  }

  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">
          It can only come back by being added again, with its secret. Assets and findings that it brought
          stay.
        </Text>
        <TextInput
          label={
            <>
              Type <b>{name}</b> to confirm
            </>
          }
          value={typed}
          onChange={({ currentTarget: { value } }) => setTyped(value)}
          autoComplete="off"
          data-autofocus
        />
        {remove.error && (
          <Notice color="red" role="alert" title="Not removed">
            {asSentence(sentenceOf(remove.error))}
          </Notice>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="subtle" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" color="red.8" loading={remove.isPending} disabled={typed.trim() !== name}>
            Remove
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
