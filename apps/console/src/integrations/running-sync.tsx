import { t } from '@lingui/core/macro';
import { Group, Paper, Progress, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { SyncBadge } from './sync-badge.tsx';
import { CountTiles } from './sync-counts.tsx';
import { type Sync, stageName } from './sync-words.ts';

/** The stage and what is pulled, as sentences. */
function progressOf({ stage, full }: Sync): string {
  if (stage === 'QUEUED') {
    return full
      ? t`The sync is queued and starts shortly. All data is pulled.`
      : t`The sync is queued and starts shortly. Only changes are pulled.`;
  }
  return full
    ? t`Pages are pulled and applied one at a time. All data is pulled.`
    : t`Pages are pulled and applied one at a time. Only changes are pulled.`;
}

/** A sync in progress, with its actions as children. */
export function RunningSync({ sync, children }: { sync: Sync; children: ReactNode }) {
  return (
    <Paper withBorder p="md" component="section" aria-label={t`Current sync`}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h4">
            {stageName(sync.stage)}
          </Title>
          <SyncBadge sync={sync} />
        </Group>
        <Text size="sm" role="status">
          {progressOf(sync)}
        </Text>
        <Progress value={sync.percent} size="lg" radius="xl" aria-label={t`Progress of the sync`} animated />
        <CountTiles sync={sync} />
        {children}
      </Stack>
    </Paper>
  );
}
