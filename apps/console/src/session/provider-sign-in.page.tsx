import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Center, Loader, Stack, Text, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Navigate, useLocation, useParams } from 'react-router';
import { type Finished, finishSignIn, HAND_OVER, startSignIn } from './provider-sign-in.ts';
import { beginSession, handOver, session } from './session.ts';
import { SignInFrame } from './sign-in-frame.tsx';

type State =
  | { as: 'busy' }
  | { as: 'signedIn'; returnTo: string }
  | { as: 'failed'; failure: string }
  | { as: 'handedOver' }
  | { as: 'notWanted'; user: string };

/** The address is used once for each time that the page loads, although React runs effects twice while it is developed. */
let finishing: Promise<Finished> | undefined;

/** The redirect URI of an identity provider. Without its parameters the page starts a sign-in. */
export function Component() {
  const { provider = '' } = useParams();
  const { search } = useLocation();
  const [state, setState] = useState<State>({ as: 'busy' });
  const given = new URLSearchParams(search);
  const isHandOver = given.has(HAND_OVER);

  async function start() {
    setState({ as: 'busy' });
    const failure = await startSignIn(provider, isHandOver ? null : '/');
    if (failure !== null) setState({ as: 'failed', failure });
  }

  async function finish() {
    finishing ??= finishSignIn(provider, given);
    // Neither the history nor a reload uses the parameters again.
    window.history.replaceState(window.history.state, '', window.location.pathname);
    const finished = await finishing;
    if ('failure' in finished) return setState({ as: 'failed', failure: finished.failure });
    if (finished.returnTo !== null) {
      beginSession(finished.session);
      return setState({ as: 'signedIn', returnTo: finished.returnTo });
    }
    if (!(await handOver(finished.session))) {
      beginSession(finished.session);
      return setState({ as: 'notWanted', user: finished.session.user });
    }
    setState({ as: 'handedOver' });
    window.close();
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time that the page loads
  useEffect(() => {
    if (given.has('state') || given.has('error')) void finish();
    else if (session.isInForce && !isHandOver) setState({ as: 'signedIn', returnTo: '/' });
    else void start();
  }, []);

  if (state.as === 'signedIn') return <Navigate to={state.returnTo} replace />;
  return (
    <SignInFrame>
      {state.as === 'busy' && (
        <Center role="status" aria-label={t`Signing in`} mih={80}>
          <Loader type="dots" />
        </Center>
      )}
      {state.as === 'failed' && (
        <>
          <Alert color="red" role="alert" title={t`Sign-in failed`}>
            {state.failure}
          </Alert>
          <Button onClick={() => void start()}>
            <Trans>Try again</Trans>
          </Button>
          <Button component="a" href="/app/" variant="default">
            <Trans>Other ways to sign in</Trans>
          </Button>
        </>
      )}
      {state.as === 'handedOver' && (
        <Text role="status" ta="center">
          <Trans>You are signed in. Close this window and continue on your page.</Trans>
        </Text>
      )}
      {state.as === 'notWanted' && <NotWanted user={state.user} />}
    </SignInFrame>
  );
}

function NotWanted({ user }: { user: string }) {
  return (
    <Stack>
      <Title order={2} size="h4">
        <Trans>You are signed in as {user}</Trans>
      </Title>
      <Text>
        <Trans>
          No page waits for this user. If you want to continue on a page of another user, sign in with the
          account of that user.
        </Trans>
      </Text>
      <Button component="a" href="/app/">
        <Trans>Continue as {user}</Trans>
      </Button>
    </Stack>
  );
}
