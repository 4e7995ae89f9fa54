import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, Skeleton, Stack, Tabs, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import { api } from '../api/client.ts';
import { AppLink, useGo } from '../app/links.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { Answered } from '../parts/states.tsx';
import { useSearch } from '../parts/use-search.ts';
import { AssetView } from './asset-view.tsx';
import { Configuration } from './configuration.tsx';
import { FindingView } from './finding-view.tsx';
import { History } from './history.tsx';
import { type Integration, kindOf } from './kinds.ts';
import { PresentNote } from './present-note.tsx';
import { IncompleteBadge, SyncBadge } from './sync-badge.tsx';
import { SyncTab } from './sync-tab.tsx';
import type { Sync } from './sync-words.ts';
import { useLastSync } from './use-last-sync.ts';

interface PanelProps {
  integration: Integration;
  /** The latest sync; undefined until it is loaded, null if none exists. */
  sync: Sync | null | undefined;
}

const tabs = (): Record<string, { label: string; Panel: (props: PanelProps) => ReactNode }> => ({
  sync: { label: t`Sync`, Panel: SyncTab },
  history: { label: t`History`, Panel: History },
  findings: { label: t`Finding View`, Panel: FindingView },
  assets: { label: t`Asset View`, Panel: AssetView },
  configuration: { label: t`Configuration`, Panel: Configuration },
});

export function Component() {
  const id = useParams().id!;
  const query = api.useQuery('get', '/integrations/{id}', { params: { path: { id } } });
  if (query.error && 'statusCode' in query.error && query.error.statusCode === 404) return <Gone />;
  return (
    <Answered
      query={query}
      waiting={
        <Stack role="status" aria-label={t`Loading`}>
          <Skeleton h={58} maw={320} />
          <Skeleton h={40} />
          <Skeleton h={240} radius="md" />
        </Stack>
      }
    >
      {(integration) => <Card key={id} integration={integration} />}
    </Answered>
  );
}

/** The integration does not exist, or was removed while it was displayed. */
function Gone() {
  return (
    <>
      <PageTitle>{t`Integration not found`}</PageTitle>
      <Text mb="sm">
        <Trans>It was removed, or the address is wrong. Its assets and findings are kept.</Trans>
      </Text>
      <AppLink to="/integrations">
        <Trans>Go to Integrations</Trans>
      </AppLink>
    </>
  );
}

function Card({ integration }: { integration: Integration }) {
  const { id, name, configState } = integration;
  const sync = useLastSync(id);
  const go = useGo();
  const tab = useSearch().get('tab') ?? 'sync';
  const shown = Object.hasOwn(tabs(), tab) ? tab : 'sync';
  return (
    <>
      <PageTitle
        name={name}
        above={
          <AppLink to="/integrations">
            <Trans>Integrations</Trans>
          </AppLink>
        }
      >
        <bdi>{name}</bdi>
      </PageTitle>
      <Group gap="sm" mb="md" mt={-8}>
        <Text c="dimmed">{kindOf(integration).title}</Text>
        {configState === 'incomplete' ? (
          <IncompleteBadge />
        ) : (
          <SyncBadge sync={sync === undefined ? integration.sync : sync} />
        )}
      </Group>
      <PresentNote>
        <Trans>
          Finding View and Asset View show the selected time. Syncs and configuration show the current state.
        </Trans>
      </PresentNote>
      <Tabs value={shown} keepMounted={false} onChange={(to) => go(`/integrations/${id}?tab=${to}`)}>
        <Tabs.List mb="md">
          {Object.entries(tabs()).map(([value, { label }]) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {Object.entries(tabs()).map(([value, { Panel }]) => (
          <Tabs.Panel key={value} value={value}>
            <Panel integration={integration} sync={sync} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  );
}
