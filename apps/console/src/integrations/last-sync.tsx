import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import { Instant } from '../parts/instant.tsx';
import { SyncBadge } from './sync-badge.tsx';
import { CountTiles, SyncDetails } from './sync-counts.tsx';
import { ACTION_NAMES, type Sync } from './sync-words.ts';

const OUTCOMES: Record<Sync['statusName'], string> = {
  Success: 'All of it came, and is applied.',
  'In Progress': '',
  'Partial Success': 'Some of it did not come. The rest is applied.',
  Error: 'It ended early. What had been applied stays, and the next sync continues from there.',
};

const ENDS: Record<NonNullable<Sync['endReason']>, string> = {
  cancelled: 'It was cancelled. What had been applied stays, and the next sync continues from there.',
  overBudget:
    'It took more time or more pages than a sync may. What had been applied stays, and the next sync continues from there.',
  interrupted: 'The collector stopped. What had been applied stays, and the next sync continues from there.',
};

/** The sync that ended last. */
export function LastSync({ sync }: { sync: Sync }) {
  return (
    <Paper withBorder p="md" component="section" aria-label="The last sync">
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h4">
            Last sync <Instant at={sync.finishedAt} />
          </Title>
          <SyncBadge sync={sync} />
        </Group>
        <Text size="sm">
          {sync.endReason === null ? OUTCOMES[sync.statusName] : ENDS[sync.endReason]}{' '}
          <Text span c="dimmed">
            {sync.startedBy === null ? ACTION_NAMES[sync.action] : `Asked for by ${sync.startedBy}`},{' '}
            {sync.full ? 'everything was pulled.' : 'only changes were pulled.'}
          </Text>
        </Text>
        <CountTiles sync={sync} />
        <SyncDetails sync={sync} />
      </Stack>
    </Paper>
  );
}
