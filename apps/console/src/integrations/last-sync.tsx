import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import { Instant } from '../parts/instant.tsx';
import { SyncBadge } from './sync-badge.tsx';
import { CountTiles, SyncDetails } from './sync-counts.tsx';
import { ACTION_NAMES, type Sync } from './sync-words.ts';

const OUTCOMES: Record<Sync['statusName'], string> = {
  Success: 'All data was pulled and applied.',
  'In Progress': '',
  'Partial Success': 'Some data could not be pulled. The rest was applied.',
  Error: 'The sync stopped early. Applied data is kept. The next sync continues from there.',
};

const ENDS: Record<NonNullable<Sync['endReason']>, string> = {
  cancelled: 'The sync was cancelled. Applied data is kept. The next sync continues from there.',
  overBudget:
    'The sync exceeded its time limit or page limit. Applied data is kept. The next sync continues from there.',
  interrupted: 'The collector stopped. Applied data is kept. The next sync continues from there.',
};

/** The last completed sync. */
export function LastSync({ sync }: { sync: Sync }) {
  return (
    <Paper withBorder p="md" component="section" aria-label={t`Last sync`}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h4">
            <Trans>
              Last sync <Instant at={sync.finishedAt} />
            </Trans>
          </Title>
          <SyncBadge sync={sync} />
        </Group>
        <Text size="sm">
          {sync.endReason === null ? OUTCOMES[sync.statusName] : ENDS[sync.endReason]}{' '}
          <Text span c="dimmed">
            {sync.startedBy === null ? ACTION_NAMES[sync.action] : t`Requested by ${sync.startedBy}`},{' '}
            {sync.full ? t`all data was pulled.` : t`only changes were pulled.`}
          </Text>
        </Text>
        <CountTiles sync={sync} />
        <SyncDetails sync={sync} />
      </Stack>
    </Paper>
  );
}
