import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Text } from '@mantine/core';
import { IconPlayerStop } from '@tabler/icons-react';
import { api } from '../api/client.ts';
import { sentenceOf } from '../parts/states.tsx';
import { Notice } from './notice.tsx';
import { asSentence, type Sync } from './sync-words.ts';
import { refreshIntegration } from './use-last-sync.ts';

/** Cancels a queued or running sync; applied data is kept. */
export function CancelSync({ id, sync: { cancelledBy } }: { id: string; sync: Sync }) {
  const request = api.useMutation('post', '/integrations/{id}/sync/cancel', {
    // Also after an error: the sync has already ended, and the page shows it.
    onSettled: () => refreshIntegration(id),
  });
  const { error } = request;
  return (
    <>
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {cancelledBy === null
            ? t`Applied data is kept. The next sync applies the rest.`
            : t`${cancelledBy} cancelled the sync. It stops within a few seconds.`}
        </Text>
        <Button
          variant="default"
          leftSection={<IconPlayerStop size={18} aria-hidden />}
          disabled={cancelledBy !== null}
          loading={request.isPending}
          onClick={() => request.mutate({ params: { path: { id } } })}
        >
          <Trans>Cancel sync</Trans>
        </Button>
      </Group>
      {error && (error as { statusCode?: number }).statusCode !== 409 && (
        <Notice color="red" role="alert" title={t`The sync was not cancelled`}>
          {asSentence(sentenceOf(error))}
        </Notice>
      )}
    </>
  );
}
