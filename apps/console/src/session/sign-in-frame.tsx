import { Trans } from '@lingui/react/macro';
import { Center, Paper, Stack, Text, Title } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { LanguageMenu } from '../language/language-menu.tsx';

/** The frame of pages before the sign-in. */
export function SignInFrame({ children }: { children: ReactNode }) {
  return (
    <Center component="main" mih="100vh" p="md">
      <Paper withBorder shadow="sm" p="xl" w="100%" maw={400}>
        <Stack>
          <Stack gap={4} align="center">
            <IconShieldCheck size={40} color="var(--mantine-primary-color-filled)" aria-hidden />
            <Title order={1} size="h3">
              <Trans>Risk Posture</Trans>
            </Title>
            <Text c="dimmed" size="sm" ta="center">
              <Trans>Risk scores with explanations and a verifiable history</Trans>
            </Text>
          </Stack>
          {children}
          <LanguageMenu />
        </Stack>
      </Paper>
    </Center>
  );
}
