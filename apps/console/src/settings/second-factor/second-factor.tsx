import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, List, Skeleton, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type Api, api } from '../../api/client.ts';
import { Instant } from '../../parts/instant.tsx';
import { Answered } from '../../parts/states.tsx';
import { useSession } from '../../session/session.ts';
import { ON_ENTRY, settled } from '../act.ts';
import { Notice } from '../notice.tsx';
import { CodeDialog } from './code-dialog.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { Setup } from './setup.tsx';

type State = Api['SecondFactorDto'];
type OpenDialog = { act: 'setUp' | 'replace' | 'remove' } | { act: 'show'; codes: string[] };

export default function SecondFactor() {
  const isOfProvider = useSession()?.provider !== null;
  if (isOfProvider) {
    return (
      <Notice color="gray" title={t`Your identity provider has its own second factor`}>
        <Trans>You sign in with an identity provider. Set up a second factor there.</Trans>
      </Notice>
    );
  }
  return <OfCredential />;
}

function OfCredential() {
  const query = api.useQuery('get', '/api/v3/second-factor', {}, ON_ENTRY);
  const [asked, ask] = useState<OpenDialog | null>(null);
  const show = (codes: string[]) => ask({ act: 'show', codes });
  const replace = api.useMutation('post', '/api/v3/second-factor/recovery-codes', {
    onSuccess: ({ recoveryCodes }) => show(recoveryCodes),
  });
  const remove = api.useMutation('post', '/api/v3/second-factor/remove', {
    onSuccess: (answer) => {
      close();
      void settled(answer, t`Your second factor was removed.`);
    },
  });
  function close() {
    ask(null);
    replace.reset();
    remove.reset();
  }
  return (
    <Answered query={query} waiting={<Skeleton height={120} />}>
      {(state) => (
        <Stack align="flex-start" maw="70ch">
          {state.isEnabled ? <Enabled state={state} ask={ask} /> : <Disabled state={state} ask={ask} />}
          {asked?.act === 'setUp' && <Setup onMade={show} onClose={close} />}
          {asked?.act === 'replace' && (
            <CodeDialog
              title={t`Replace the recovery codes`}
              act={t`Replace`}
              isBusy={replace.isPending}
              error={replace.error}
              onCode={(code) => replace.mutate({ body: { code } })}
              onClose={close}
            >
              <Trans>The present recovery codes stop working.</Trans>
            </CodeDialog>
          )}
          {asked?.act === 'remove' && (
            <CodeDialog
              title={t`Remove the second factor`}
              act={t`Remove`}
              isBusy={remove.isPending}
              error={remove.error}
              onCode={(code) => remove.mutate({ body: { code } })}
              onClose={close}
            >
              <Trans>Your password alone signs in then.</Trans>
            </CodeDialog>
          )}
          {asked?.act === 'show' && (
            <RecoveryCodes
              codes={asked.codes}
              onDone={() => {
                close();
                void settled({}, t`Your second factor is in effect.`);
              }}
            />
          )}
        </Stack>
      )}
    </Answered>
  );
}

function Enabled({ state: { recoveryCodes }, ask }: { state: State; ask: (asked: OpenDialog) => void }) {
  return (
    <>
      <Text>
        <Trans>
          You have a second factor. Recovery codes that are left: <b>{recoveryCodes}</b>
        </Trans>
      </Text>
      {recoveryCodes < 3 && (
        <Notice color="orange" title={t`Few recovery codes are left`}>
          <Trans>Replace them, and keep the new ones where your phone is not.</Trans>
        </Notice>
      )}
      <Group>
        <Button variant="default" onClick={() => ask({ act: 'replace' })}>
          <Trans>Replace the recovery codes</Trans>
        </Button>
        <Button variant="default" onClick={() => ask({ act: 'remove' })}>
          <Trans>Remove the second factor</Trans>
        </Button>
      </Group>
    </>
  );
}

function Disabled({ state: { isRequired, dueAt }, ask }: { state: State; ask: (asked: OpenDialog) => void }) {
  return (
    <>
      {isRequired && (
        <Notice color="orange" title={t`Your role needs a second factor`}>
          {dueAt === null ? (
            t`Set it up now. Otherwise you will not be able to sign in.`
          ) : (
            <Trans>
              Set it up before <Instant at={dueAt} />. Otherwise you will not be able to sign in.
            </Trans>
          )}
        </Notice>
      )}
      <Text>
        <Trans>You have no second factor: your password alone signs in.</Trans>
      </Text>
      <List size="sm">
        <List.Item>
          <Trans>You need an authenticator app on your phone.</Trans>
        </List.Item>
        <List.Item>
          <Trans>Programs that use your user name and password stop working: give them API tokens.</Trans>
        </List.Item>
        <List.Item>
          <Trans>Your other sessions end.</Trans>
        </List.Item>
      </List>
      <Button onClick={() => ask({ act: 'setUp' })}>
        <Trans>Set up a second factor</Trans>
      </Button>
    </>
  );
}
