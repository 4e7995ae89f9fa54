import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Paper, Skeleton, Stack, Text } from '@mantine/core';
import { AppLink } from '../app/links.tsx';
import { fullInstant, relativeInstant } from '../parts/instant.tsx';
import { useMay } from '../session/session.ts';
import { useAsOf } from '../time/as-of.ts';
import { CancelSync } from './cancel-sync.tsx';
import type { Integration } from './kinds.ts';
import { LastSync } from './last-sync.tsx';
import { Notice } from './notice.tsx';
import { RunningSync } from './running-sync.tsx';
import { frequencyOf } from './schedule.ts';
import { SyncNow } from './sync-now.tsx';
import { isUnfinished, type Sync } from './sync-words.ts';

/** The current or last sync, the next sync, and Sync now. */
export function SyncTab({ integration, sync }: { integration: Integration; sync: Sync | null | undefined }) {
  const { id, configState } = integration;
  const mayChange = useMay('integrations:write');
  const { asOf } = useAsOf();
  const isRunning = !!sync && isUnfinished(sync);
  return (
    <Stack maw={860}>
      {configState === 'incomplete' && <SecretMissing id={id} />}
      {sync === undefined && <Skeleton h={180} radius="md" role="status" aria-label={t`Loading`} />}
      {sync &&
        (isRunning ? (
          <RunningSync sync={sync}>{mayChange && <CancelSync id={id} sync={sync} />}</RunningSync>
        ) : (
          <LastSync sync={sync} />
        ))}
      {mayChange && (
        <SyncNow
          id={id}
          isFirst={sync === null}
          isRunning={isRunning}
          isDisabled={asOf !== null || configState === 'incomplete'}
        />
      )}
      <NextSync integration={integration} />
    </Stack>
  );
}

function SecretMissing({ id }: { id: string }) {
  return (
    <Notice color="orange" title={t`The secret is missing`} role="alert">
      <Trans>
        An admin must enter the secret again in{' '}
        <AppLink to={`/integrations/${id}?tab=configuration`}>Configuration</AppLink> before the integration
        can be synced or tested.
      </Trans>
    </Notice>
  );
}

function NextSync({ integration: { nextSyncAt: next, config } }: { integration: Integration }) {
  return (
    <Paper withBorder p="md">
      <Text fw={600}>
        <Trans>Next automatic sync</Trans>
      </Text>
      <Text size="sm">
        {next === null
          ? t`No automatic sync. This integration is synced manually.`
          : nextText(next, frequencyOf(config.autoSyncDays))}
      </Text>
    </Paper>
  );
}

function nextText(next: string, frequency: string): string {
  const [relative, full] = [relativeInstant(next), fullInstant(next)];
  return t`${frequency}. Next sync ${relative}, ${full} in your time zone.`;
}
