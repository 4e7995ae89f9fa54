import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Stack } from '@mantine/core';
import type { MouseEvent, ReactNode } from 'react';
import { Dialog } from '../parts/dialog.tsx';
import { SESSION_Z_INDEX } from './expiry-warning.tsx';
import { useIdentityProviders } from './identity-providers.ts';
import { HAND_OVER } from './provider-sign-in.ts';
import { endSession, useIsWaiting, useSession, whyEnded } from './session.ts';
import { SignInForm } from './sign-in-form.tsx';

const WINDOW = 'popup,width=520,height=720';

/** Sign-in after the session expires. It covers the page, so that unsaved input is kept. */
export function SignInDialog() {
  const session = useSession();
  const isWaiting = useIsWaiting();
  if (!session || !isWaiting || whyEnded() !== 'expired') return null;
  const { username, provider } = session;
  const leave = (
    <Button variant="subtle" size="compact-sm" onClick={() => endSession('signedOut')}>
      <Trans>Leave this page and sign in as another user</Trans>
    </Button>
  );
  return (
    <Dialog
      title={t`Sign in again`}
      onClose={() => {}}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      zIndex={SESSION_Z_INDEX}
      overlayProps={{ blur: 6 }}
    >
      {provider === null ? (
        <SignInForm
          username={username}
          why={t`Your session has ended. Sign in to continue. Your input is kept.`}
        >
          {leave}
        </SignInForm>
      ) : (
        <OtherWindow provider={provider} username={username}>
          {leave}
        </OtherWindow>
      )}
    </Dialog>
  );
}

/** The page of the provider opens in another window, because this page has unsaved input. */
function OtherWindow({
  provider,
  username,
  children,
}: {
  provider: string;
  username: string;
  children: ReactNode;
}) {
  const label = useIdentityProviders().find(({ id }) => id === provider)?.label ?? provider;
  const address = `/app/sign-in/${encodeURIComponent(provider)}?${HAND_OVER}`;
  const open = (event: MouseEvent) => {
    // If the browser blocks the window, the link opens a tab.
    if (window.open(address, 'posture-sign-in', WINDOW) !== null) event.preventDefault();
  };
  return (
    <Stack>
      <Alert color="blue">
        <Trans>
          Your session has ended. Sign in to continue. Your input is kept. The sign-in of {username} opens in
          another window.
        </Trans>
      </Alert>
      <Button component="a" href={address} target="_blank" onClick={open} data-autofocus fullWidth>
        <Trans>Sign in with {label}</Trans>
      </Button>
      {children}
    </Stack>
  );
}
