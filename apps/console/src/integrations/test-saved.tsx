import { Trans } from '@lingui/react/macro';
import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import { api } from '../api/client.ts';
import { ConnectionResult, NotTested } from './connection-result.tsx';
import type { Integration } from './kinds.ts';

/** Tests the connection with the saved configuration. */
export function TestSaved({
  integration: { id, configState },
  isDisabled,
}: {
  integration: Integration;
  isDisabled: boolean;
}) {
  const test = api.useMutation('post', '/integrations/{id}/test');
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Group justify="space-between">
          <div>
            <Text fw={600}>
              <Trans>Connection</Trans>
            </Text>
            <Text size="sm" c="dimmed">
              <Trans>Checks address, credentials and permissions. No data is pulled.</Trans>
            </Text>
          </div>
          <Button
            variant="default"
            leftSection={<IconPlugConnected size={18} aria-hidden />}
            loading={test.isPending}
            disabled={isDisabled || configState === 'incomplete'}
            onClick={() => test.mutate({ params: { path: { id } }, body: {} })}
          >
            <Trans>Test connection</Trans>
          </Button>
        </Group>
        {test.data && <ConnectionResult test={test.data} />}
        {test.error && <NotTested error={test.error} />}
      </Stack>
    </Paper>
  );
}
