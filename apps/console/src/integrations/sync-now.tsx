import { Button, Group, Paper, Stack, Switch, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { sentenceOf } from '../parts/states.tsx';
import { Notice } from './notice.tsx';
import { asSentence } from './sync-words.ts';
import { refreshIntegration } from './use-last-sync.ts';

/** Asks for a sync, of what has changed or of all. */
export function SyncNow({
  id,
  isFirst,
  isRunning,
  isDisabled,
}: {
  id: string;
  isFirst: boolean;
  isRunning: boolean;
  isDisabled: boolean;
}) {
  const [isFull, setFull] = useState(false);
  const request = api.useMutation('post', '/integrations/{id}/sync', {
    onSuccess: () => {
      setFull(false);
      notifications.show({ message: 'The sync is asked for, and begins in a moment.' });
    },
    // Also after a refusal: what runs already is then shown.
    onSettled: () => refreshIntegration(id),
  });
  const failure = request.error as { statusCode?: number } | null;
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Group justify="space-between">
          <Switch
            label="Pull everything anew"
            description={
              isFirst
                ? 'The first sync pulls everything anyway.'
                : 'Otherwise only what has changed since the last sync is pulled.'
            }
            checked={isFull || isFirst}
            disabled={isFirst || isRunning || isDisabled}
            onChange={({ currentTarget: { checked } }) => setFull(checked)}
          />
          <Button
            leftSection={<IconRefresh size={18} aria-hidden />}
            disabled={isRunning || isDisabled}
            loading={request.isPending}
            onClick={() => request.mutate({ params: { path: { id } }, body: { full: isFull } })}
          >
            Sync now
          </Button>
        </Group>
        {isRunning && !failure && (
          <Text size="sm" c="dimmed">
            One sync runs at a time: the next can be asked for when this one has ended.
          </Text>
        )}
        {request.error && (
          <Notice
            color={failure?.statusCode === 409 ? 'blue' : 'red'}
            role="alert"
            title={failure?.statusCode === 409 ? 'A sync is under way already' : 'No sync was asked for'}
          >
            {failure?.statusCode === 409
              ? 'Somebody else, or the schedule, has asked for it. Ask again when it has ended.'
              : asSentence(sentenceOf(request.error))}
          </Notice>
        )}
      </Stack>
    </Paper>
  );
}
