import { type Api, api } from '../../api/client.ts';
import { endSession, useSession } from '../../session/session.ts';
import { settled } from '../act.ts';
import { Confirmation } from '../confirmation.tsx';

export function Deletion({
  of: { id, username },
  onClose,
}: {
  of: Api['CredentialDto'];
  onClose: () => void;
}) {
  const isOwn = useSession()?.username === username;
  const remove = api.useMutation('delete', '/api/v3/credentials/{id}', {
    onSuccess: (answer) => {
      onClose();
      if (isOwn) endSession('signedOut');
      else void settled(answer, `${username} is deleted.`);
    },
  });
  return (
    <Confirmation
      title={`Delete ${username}?`}
      act="Delete"
      isBusy={remove.isPending}
      error={remove.error}
      onAct={() => remove.mutate({ params: { path: { id } } })}
      onClose={onClose}
    >
      {isOwn
        ? 'This is your own credential: you will be signed out, and cannot sign in with it again. '
        : 'Whoever uses it is signed out, and can no longer sign in. '}
      What was done with it stays in the audit trail.
    </Confirmation>
  );
}
