import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type Api, api } from '../../api/client.ts';
import { beginRotation, endSession, failRotation, useSession } from '../../session/session.ts';
import { settled } from '../act.ts';
import { Confirmation } from '../confirmation.tsx';
import type { WithPassword } from './with-password.ts';

export function Rotation({
  of: { id, username },
  onMade,
  onClose,
}: {
  of: Api['CredentialDto'];
  onMade: (made: WithPassword) => void;
  onClose: () => void;
}) {
  const isOwn = useSession()?.username === username;
  const rotate = api.useMutation('post', '/api/v3/credentials/{id}/rotate', {
    onMutate: () => {
      if (isOwn) beginRotation();
    },
    onError: () => {
      if (isOwn) failRotation();
    },
    onSuccess: (made) => {
      // The user's own token is revoked. The sign-in waits until the user has seen the new password.
      if (isOwn) endSession('rotated');
      else void settled(made, t`The password of ${username} was rotated.`);
      onMade(made);
    },
  });
  return (
    <Confirmation
      title={t`Rotate the password of ${username}?`}
      act={t`Rotate`}
      isBusy={rotate.isPending}
      error={rotate.error}
      onAct={() => rotate.mutate({ params: { path: { id } } })}
      onClose={onClose}
    >
      <Trans>The old password stops working immediately.</Trans>{' '}
      {isOwn
        ? t`Users who are signed in with it are signed out, including you.`
        : t`Users who are signed in with it are signed out.`}{' '}
      <Trans>The new password is shown only once.</Trans>
    </Confirmation>
  );
}
