import { Group, Loader, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconFileZip, IconPlugConnected, IconUsersGroup } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { AppLink } from '../app/links.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { useMay } from '../session/session.ts';
import { Copyable } from './copyable.tsx';
import { FirstSignal } from './first-signal.tsx';

/** What stands in place of the overview until something has come in: the ways to get there. */
export function Welcome() {
  const { act } = useMay();
  return (
    <Stack maw={960} mx="auto">
      <div>
        <PageTitle name="Welcome">Welcome to Risk Posture</PageTitle>
        <Text>
          Security tools send what they find about machines and users; this page then shows how exposed the
          organization is, why, and what to fix first. Nothing has been sent yet.
        </Text>
      </div>
      {act ? (
        <Ways />
      ) : (
        <Paper withBorder p="md">
          Your role may look, but not send. Ask an admin or an analyst for a first upload.
        </Paper>
      )}
      <Group gap="xs" role="status">
        <Loader size="xs" aria-hidden />
        <Text size="sm" c="dimmed">
          Waiting for the first asset: the overview appears here by itself.
        </Text>
      </Group>
    </Stack>
  );
}

function Ways() {
  const { administer } = useMay();
  return (
    <>
      <Paper withBorder p="lg" component="section" aria-label="Send a first signal">
        <Title order={2} size="h4" mb={4}>
          Send a first signal
        </Title>
        <FirstSignal />
      </Paper>
      <Title order={2} size="h4" mt="xs">
        Or begin with more
      </Title>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <Way title="Load the demo" Icon={IconUsersGroup}>
          <Text size="sm" mb="xs">
            An invented organization of 300 machines and 40 users. In the folder of the service:
          </Text>
          <Copyable label="command that loads the demo">npm run demo</Copyable>
        </Way>
        <Way title="Drop a ZIP" Icon={IconFileZip}>
          <Text size="sm" mb="xs">
            A ZIP of signals, one JSON file each, such as those in <code>examples/</code>. A preview shows
            what it would change.
          </Text>
          <AppLink to="/uploads" size="sm" fw={550}>
            To the uploads
          </AppLink>
        </Way>
        <Way title="Connect a platform" Icon={IconPlugConnected}>
          <Text size="sm" mb="xs">
            An EDR platform or an asset inventory is then pulled from once a day, or when you ask.
            {!administer && ' An admin sets it up.'}
          </Text>
          <AppLink to="/integrations" size="sm" fw={550}>
            To the integrations
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
