import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { beginSession } from './session.ts';
import { signIn } from './sign-in.ts';

/**
 * Form for user name and password.
 * @param username fixes the user; absent: any user
 * @param why reason for the sign-in
 * @param children below the button
 */
export function SignInForm({
  username,
  why,
  children,
}: {
  username?: string;
  why: string | null;
  children?: ReactNode;
}) {
  const [failure, setFailure] = useState<string | null>(null);
  const [asksForCode, askForCode] = useState(false);
  const [isBusy, setBusy] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    setFailure(null);
    const answer = await signIn(
      String(form.get('username')),
      String(form.get('password')),
      String(form.get('code') ?? '').trim(),
    );
    setBusy(false);
    if ('session' in answer) beginSession(answer.session);
    else {
      setFailure(answer.failure);
      if (answer.asksForCode) askForCode(true);
    }
  }

  const isKnown = username !== undefined;
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack>
        {why && !failure && <Alert color="blue">{why}</Alert>}
        {failure && (
          <Alert color="red" role="alert" title={t`Sign-in failed`}>
            {failure}
          </Alert>
        )}
        <TextInput
          name="username"
          label={t`User name`}
          autoComplete="username"
          required
          autoFocus={!isKnown}
          readOnly={isKnown}
          defaultValue={username}
        />
        <PasswordInput
          name="password"
          label={t`Password`}
          autoComplete="current-password"
          required
          autoFocus={isKnown}
          data-autofocus={isKnown || undefined}
        />
        {asksForCode && (
          <TextInput
            name="code"
            label={t`Code`}
            description={t`Of your authenticator app, or a recovery code`}
            autoComplete="one-time-code"
            required
            autoFocus
            maxLength={19}
          />
        )}
        <Button type="submit" loading={isBusy} fullWidth>
          <Trans>Sign in</Trans>
        </Button>
        {children}
      </Stack>
    </form>
  );
}
