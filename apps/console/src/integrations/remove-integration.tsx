import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconTrash } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { api } from '../api/client.ts';
import { useGo } from '../app/links.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { FormButtons } from '../parts/form-buttons.tsx';
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
  const { name } = integration;
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <Paper withBorder p="md">
      <Group justify="space-between">
        <div>
          <Text fw={600}>
            <Trans>Remove this integration</Trans>
          </Text>
          <Text size="sm" c="dimmed">
            <Trans>
              Deletes its configuration and secret, and stops a running sync. Its assets and findings are
              kept.
            </Trans>
          </Text>
        </div>
        <Button
          variant="outline"
          color="red"
          leftSection={<IconTrash size={18} aria-hidden />}
          disabled={isDisabled}
          onClick={open}
        >
          <Trans>Remove</Trans>
        </Button>
      </Group>
      {isOpen && (
        <Dialog onClose={close} title={t`Remove ${name}?`} centered>
          <Confirmation integration={integration} onCancel={close} />
        </Dialog>
      )}
    </Paper>
  );
}

/** The user confirms by typing the name. */
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
      const message = 'id' in removed ? t`${name} was removed.` : t`${name} will be removed shortly.`;
      notifications.show({ message });
    },
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    if (typed.trim() === name) remove.mutate({ params: { path: { id } } });
  }

  const expected = <b dir="auto">{name}</b>;
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">
          <Trans>
            To restore the integration, you must add it again with its secret. Its assets and findings are
            kept.
          </Trans>
        </Text>
        <TextInput
          label={<Trans>Type {expected} to confirm</Trans>}
          value={typed}
          onChange={({ currentTarget: { value } }) => setTyped(value)}
          autoComplete="off"
          data-autofocus
        />
        {remove.error && (
          <Notice color="red" role="alert" title={t`Not removed`}>
            {asSentence(sentenceOf(remove.error))}
          </Notice>
        )}
        <FormButtons
          act={t`Remove`}
          color="red.8"
          isBusy={remove.isPending}
          isDisabled={typed.trim() !== name}
          onClose={onCancel}
        />
      </Stack>
    </form>
  );
}
