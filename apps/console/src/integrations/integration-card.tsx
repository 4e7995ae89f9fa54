import { t } from '@lingui/core/macro';
import { Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { AppLink } from '../app/links.tsx';
import { number } from '../language/format.ts';
import { Instant } from '../parts/instant.tsx';
import classes from './cards.module.css';
import { type Integration, kindOf } from './kinds.ts';
import { IncompleteBadge, SyncBadge } from './sync-badge.tsx';
import { countsOf } from './sync-words.ts';
import { useLastSync } from './use-last-sync.ts';

/** Summary of an integration. */
export function IntegrationCard({ integration }: { integration: Integration }) {
  const { id, name, configState, nextSyncAt } = integration;
  const { title, Icon } = kindOf(integration);
  const last = useLastSync(id);
  const state = last ?? integration.sync;
  const counts = last && countsOf(last);
  return (
    <Paper withBorder p="md" component="li" className={classes.card}>
      <Stack gap="sm">
        <Group wrap="nowrap" gap="md" align="flex-start">
          <span className={classes.icon}>
            <Icon size={22} aria-hidden />
          </span>
          <Stack gap={0} flex={1} miw={0}>
            <AppLink to={`/integrations/${id}`} fw={600} className={classes.link} truncate>
              <bdi>{name}</bdi>
            </AppLink>
            <Group justify="space-between" gap="xs">
              <Text size="sm" c="dimmed">
                {title}
              </Text>
              {configState === 'incomplete' ? <IncompleteBadge /> : <SyncBadge sync={state} />}
            </Group>
          </Stack>
        </Group>
        {state?.statusName === 'In Progress' && (
          <Progress
            value={state.percent}
            size="sm"
            aria-label={t`Progress of the sync of ${name}`}
            animated
          />
        )}
        <dl className={classes.facts}>
          <Fact label={t`Last sync`}>
            {state ? (
              <Instant at={state.finishedAt ?? state.startedAt ?? last?.requestedAt ?? null} />
            ) : (
              t`Never`
            )}
          </Fact>
          <Fact label={t`Next sync`}>
            {nextSyncAt === null ? t`Manual only` : <Instant at={nextSyncAt} />}
          </Fact>
          <Fact label={t`Records pulled`}>{counts ? number(counts.records) : '–'}</Fact>
          <Fact label={t`Signals applied`}>{counts ? number(counts.signals) : '–'}</Fact>
        </dl>
      </Stack>
    </Paper>
  );
}

function Fact({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
