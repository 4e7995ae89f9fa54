import { type Api, api } from '../../api/client.ts';
import { endSession, useSession } from '../../session/session.ts';
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
    onSuccess: (made) => {
      // One's own token has ended: the sign-in waits until the new password was seen.
      if (isOwn) endSession('rotated');
      else void settled(made, `${username} has another password.`);
      onMade(made);
    },
  });
  return (
    <Confirmation
      title={`Rotate the password of ${username}?`}
      act="Rotate"
      isBusy={rotate.isPending}
      error={rotate.error}
      onAct={() => rotate.mutate({ params: { path: { id } } })}
      onClose={onClose}
    >
      The old password ends at once, and whoever is signed in with it is signed out
      {isOwn ? ': this is your own, you will have to sign in anew' : ''}. The new one is shown once.
    </Confirmation>
  );
}
