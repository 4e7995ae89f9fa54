import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import { Instant } from '../parts/instant.tsx';
import { SyncBadge } from './sync-badge.tsx';
import { CountTiles, SyncDetails } from './sync-counts.tsx';
import { actionName, type Sync } from './sync-words.ts';

const OUTCOMES: Partial<Record<Sync['statusName'], MessageDescriptor>> = {
  Success: msg`All data was pulled and applied.`,
  'Partial Success': msg`Some data could not be pulled. The rest was applied.`,
  Error: msg`The sync stopped early. Applied data is kept. The next sync applies the rest.`,
};

const ENDS: Record<NonNullable<Sync['endReason']>, MessageDescriptor> = {
  cancelled: msg`The sync was cancelled. Applied data is kept. The next sync applies the rest.`,
  overBudget: msg`The sync exceeded its time limit or page limit. Applied data is kept.`,
  interrupted: msg`The collector stopped, or the integration was changed. Applied data is kept. The next sync applies the rest, or begins with the new configuration.`,
};

/** What started the sync, and what it was to pull: it may have ended early. */
function originOf({ startedBy, action, full }: Sync): string {
  if (startedBy === null) {
    const trigger = actionName(action);
    return full ? t`${trigger}: sync of all data.` : t`${trigger}: sync of changes only.`;
  }
  return full
    ? t`Requested by ${startedBy}: sync of all data.`
    : t`Requested by ${startedBy}: sync of changes only.`;
}

/** The last completed sync. */
export function LastSync({ sync }: { sync: Sync }) {
  const outcome = sync.endReason === null ? OUTCOMES[sync.statusName] : ENDS[sync.endReason];
  const finished = <Instant at={sync.finishedAt} />;
  return (
    <Paper withBorder p="md" component="section" aria-label={t`Last sync`}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h4">
            <Trans>Last sync {finished}</Trans>
          </Title>
          <SyncBadge sync={sync} />
        </Group>
        <Text size="sm">
          {outcome && i18n._(outcome)}{' '}
          <Text span c="dimmed">
            {originOf(sync)}
          </Text>
        </Text>
        <CountTiles sync={sync} />
        <SyncDetails sync={sync} />
      </Stack>
    </Paper>
  );
}
