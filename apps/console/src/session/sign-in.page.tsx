import { Center, Paper, Stack, Text, Title } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { type EndReason, whyEnded } from './session.ts';
import { SignInForm } from './sign-in-form.tsx';

const WHY: Partial<Record<EndReason, string>> = {
  signedOut: 'You have signed out.',
  expired: 'Your session has ended. Sign in to continue.',
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
              Risk scores with explanations and a verifiable history
            </Text>
          </Stack>
          <SignInForm why={WHY[whyEnded()] ?? null}>
            <Text c="dimmed" size="xs">
              On first start, the service prints the user name and password of an admin. The file
              initial-credentials in the data directory also contains them.
            </Text>
          </SignInForm>
        </Stack>
      </Paper>
    </Center>
  );
}
