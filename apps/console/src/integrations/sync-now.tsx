import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Paper, Stack, Switch, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { sentenceOf } from '../parts/states.tsx';
import { Notice } from './notice.tsx';
import { asSentence } from './sync-words.ts';
import { refreshIntegration } from './use-last-sync.ts';

/** Starts a sync of changes or of all data. */
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
      notifications.show({ message: t`The sync is queued and starts shortly.` });
    },
    // Also after an error, to show the sync that is already running.
    onSettled: () => refreshIntegration(id),
  });
  const isConflict = (request.error as { statusCode?: number } | null)?.statusCode === 409;
  // The other sync may have ended.
  const error = isConflict && !isRunning ? null : request.error;
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Group justify="space-between">
          <Switch
            label={t`Pull all data again`}
            description={
              isFirst
                ? t`The first sync always pulls all data.`
                : t`If off, only changes since the last sync are pulled.`
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
            <Trans>Sync now</Trans>
          </Button>
        </Group>
        {isRunning && !error && (
          <Text size="sm" c="dimmed">
            <Trans>
              Only one sync can run at a time. You can start the next sync when this one has ended.
            </Trans>
          </Text>
        )}
        {error && (
          <Notice
            color={isConflict ? 'blue' : 'red'}
            role="alert"
            title={isConflict ? t`A sync is already in progress` : t`The sync was not started`}
          >
            {isConflict
              ? t`Another user or the schedule started it. Try again when it has ended.`
              : asSentence(sentenceOf(error))}
          </Notice>
        )}
      </Stack>
    </Paper>
  );
}
