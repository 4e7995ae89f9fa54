import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Divider, Text } from '@mantine/core';
import { useIdentityProviders, useProviderSignOut } from './identity-providers.ts';
import { ProviderButtons } from './provider-buttons.tsx';
import { type EndReason, whereEnded, whyEnded } from './session.ts';
import { SignInForm } from './sign-in-form.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

const WHY: Partial<Record<EndReason, MessageDescriptor>> = {
  signedOut: msg`You have signed out.`,
  expired: msg`Your session has ended. Sign in to continue.`,
};

export function SignInPage() {
  const providers = useIdentityProviders();
  const ended = providers.find(({ id }) => id === whereEnded());
  const signOutUrl = useProviderSignOut(ended?.id ?? null);
  const label = ended?.label;
  const why = WHY[whyEnded()];
  return (
    <SignInFrame>
      {label && signOutUrl !== null && (
        <Text size="sm">
          <Trans>
            You are still signed in at {label}.{' '}
            <Anchor href={signOutUrl} inherit underline="always">
              Sign out there too
            </Anchor>
          </Trans>
        </Text>
      )}
      <SignInForm why={why ? i18n._(why) : null}>
        {providers.length > 0 && (
          <Divider label={t({ message: 'or', context: 'between two ways to sign in' })} />
        )}
        <ProviderButtons providers={providers} />
        <Text c="dimmed" size="xs">
          <Trans>
            On first start, the service prints the user name and password of an admin. The file
            initial-credentials in the data directory also contains them.
          </Trans>
        </Text>
      </SignInForm>
    </SignInFrame>
  );
}
