import { Alert, Button, Center, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { beginSession, whyEnded } from './session.ts';
import { signIn } from './sign-in.ts';

const WHY = {
  none: null,
  signedOut: 'You have signed out.',
  expired: 'Your session has ended. Sign in to go on where you were.',
} as const;

export function SignInPage() {
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    setFailure(null);
    const answer = await signIn(String(form.get('username')), String(form.get('password')));
    setBusy(false);
    if ('token' in answer) beginSession(answer.token);
    else setFailure(answer.failure);
  }

  const why = WHY[whyEnded()];
  return (
    <Center component="main" mih="100vh" p="md">
      <Paper withBorder shadow="sm" p="xl" w="100%" maw={400}>
        <form onSubmit={(event) => void submit(event)}>
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
            {why && !failure && <Alert color="blue">{why}</Alert>}
            {failure && (
              <Alert color="red" role="alert" title="Not signed in">
                {failure}
              </Alert>
            )}
            <TextInput name="username" label="User name" autoComplete="username" required autoFocus />
            <PasswordInput name="password" label="Password" autoComplete="current-password" required />
            <Button type="submit" loading={isBusy} fullWidth>
              Sign in
            </Button>
            <Text c="dimmed" size="xs">
              The first start prints an admin’s user name and password, and keeps them in the file
              initial-credentials of its data directory.
            </Text>
          </Stack>
        </form>
      </Paper>
    </Center>
  );
}
