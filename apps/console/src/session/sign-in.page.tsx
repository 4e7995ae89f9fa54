import { Center, Paper, Stack, Text, Title } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { type EndReason, whyEnded } from './session.ts';
import { SignInForm } from './sign-in-form.tsx';

const WHY: Partial<Record<EndReason, string>> = {
  signedOut: 'You have signed out.',
  expired: 'Your session has ended. Sign in to go on where you were.',
};

export function SignInPage() {
  return (
    <Center component="main" mih="100vh" p="md">
      <Paper withBorder shadow="sm" p="xl" w="100%" maw={400}>
        <Stack>
          <Stack gap={4} align="center">
            <IconShieldCheck size={40} color="var(--mantine-primary-color-filled)" aria-hidden />
            <Title order={1} size="h3">
              Risk Posture
            </Title>
            <Text c="dimmed" size="sm" ta="center">
              Findings in, explained risk out, every state provable
            </Text>
          </Stack>
          <SignInForm why={WHY[whyEnded()] ?? null}>
            <Text c="dimmed" size="xs">
              The first start prints an admin’s user name and password, and keeps them in the file
              initial-credentials of its data directory.
            </Text>
          </SignInForm>
        </Stack>
      </Paper>
    </Center>
  );
}
