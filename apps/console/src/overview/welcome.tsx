import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, Loader, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconFileZip, IconPlugConnected, IconUsersGroup } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { AppLink } from '../app/links.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { useMay } from '../session/session.ts';
import { Copyable } from './copyable.tsx';
import { FirstSignal } from './first-signal.tsx';

/** Shown instead of the overview until data exists: ways to send a first signal. */
export function Welcome() {
  const maySend = useMay('signals:write');
  return (
    <Stack maw={960} mx="auto">
      <div>
        <PageTitle name={t`Welcome`}>{t`Welcome to Risk Posture`}</PageTitle>
        <Text>
          <Trans>
            Security tools send findings about machines and users. This page then shows the risk of the
            organization, its causes, and what to fix first. No data exists yet.
          </Trans>
        </Text>
      </div>
      {maySend ? (
        <Ways />
      ) : (
        <Paper withBorder p="md">
          <Trans>You cannot upload signals. Ask an admin or an analyst to upload the first ones.</Trans>
        </Paper>
      )}
      <Group gap="xs" role="status">
        <Loader size="xs" aria-hidden />
        <Text size="sm" c="dimmed">
          <Trans>Waiting for the first asset. The overview then appears automatically.</Trans>
        </Text>
      </Group>
    </Stack>
  );
}

function Ways() {
  const mayConnect = useMay('integrations:write');
  return (
    <>
      <Paper withBorder p="lg" component="section" aria-label={t`Send a first signal`}>
        <Title order={2} size="h4" mb={4}>
          <Trans>Send a first signal</Trans>
        </Title>
        <FirstSignal />
      </Paper>
      <Title order={2} size="h4" mt="xs">
        <Trans>Other ways to start</Trans>
      </Title>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <Way title={t`Load demo data`} Icon={IconUsersGroup}>
          <Text size="sm" mb="xs">
            <Trans>
              A fictitious organization with 300 machines and 40 users. Run this command in the folder of the
              service:
            </Trans>
          </Text>
          <Copyable
            label={t`command that loads the demo data`}
            what={t`the command that loads the demo data`}
          >
            npm run demo
          </Copyable>
        </Way>
        <Way title={t`Upload a ZIP`} Icon={IconFileZip}>
          <Text size="sm" mb="xs">
            <Trans>
              A ZIP with one JSON file per signal, such as the files in <code>examples/</code>. A preview
              shows the changes.
            </Trans>
          </Text>
          <AppLink to="/uploads" size="sm" fw={550}>
            <Trans>Go to Uploads</Trans>
          </AppLink>
        </Way>
        <Way title={t`Connect a platform`} Icon={IconPlugConnected}>
          <Text size="sm" mb="xs">
            <Trans>Pull data from an EDR platform or an asset inventory daily or on request.</Trans>{' '}
            {!mayConnect && <Trans>An admin can add an integration.</Trans>}
          </Text>
          <AppLink to="/integrations" size="sm" fw={550}>
            <Trans>Go to Integrations</Trans>
          </AppLink>
        </Way>
      </SimpleGrid>
    </>
  );
}

function Way({ title, Icon, children }: { title: string; Icon: typeof IconFileZip; children: ReactNode }) {
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Group gap={8} mb={6}>
        <Icon size={20} color="var(--mantine-color-anchor)" aria-hidden />
        <Title order={3} size="h5">
          {title}
        </Title>
      </Group>
      {children}
    </Paper>
  );
}
