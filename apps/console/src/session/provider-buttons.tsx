import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'react-router';
import type { IdentityProvider } from './identity-providers.ts';
import { startSignIn } from './provider-sign-in.ts';

/** A button for each identity provider. They leave this page, which is shown again afterwards. */
export function ProviderButtons({ providers }: { providers: readonly IdentityProvider[] }) {
  const { pathname, search, hash } = useLocation();
  const [busyId, setBusyId] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

  async function start(id: string) {
    setBusyId(id);
    setFailure(await startSignIn(id, `${pathname}${search}${hash}`));
    // A user who goes back finds the button as it was.
    setBusyId(null);
  }

  return (
    <Stack gap="xs">
      {failure !== null && (
        <Alert color="red" role="alert" title={t`Sign-in failed`}>
          {failure}
        </Alert>
      )}
      {providers.map(({ id, label }) => (
        <Button key={id} variant="default" fullWidth loading={busyId === id} onClick={() => void start(id)}>
          <Trans>Sign in with {label}</Trans>
        </Button>
      ))}
    </Stack>
  );
}
