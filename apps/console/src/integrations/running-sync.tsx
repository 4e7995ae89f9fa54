import { t } from '@lingui/core/macro';
import { Group, Paper, Progress, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { SyncBadge } from './sync-badge.tsx';
import { CountTiles } from './sync-counts.tsx';
import { STAGE_NAMES, type Sync } from './sync-words.ts';

const STAGE_SENTENCES: Partial<Record<Sync['stage'], string>> = {
  QUEUED: 'The sync is queued and starts shortly.',
  TRANSFORMING: 'Pages are pulled and applied one at a time.',
};

/** A sync in progress, with its actions as children. */
export function RunningSync({ sync, children }: { sync: Sync; children: ReactNode }) {
  return (
    <Paper withBorder p="md" component="section" aria-label={t`Current sync`}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h4">
            {STAGE_NAMES[sync.stage]}
          </Title>
          <SyncBadge sync={sync} />
        </Group>
        <Text size="sm" role="status">
          {STAGE_SENTENCES[sync.stage]} {sync.full ? t`All data is pulled.` : t`Only changes are pulled.`}
        </Text>
        <Progress value={sync.percent} size="lg" radius="xl" aria-label={t`Progress of the sync`} animated />
        <CountTiles sync={sync} />
        {children}
      </Stack>
    </Paper>
  );
}
