import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
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
      else void settled(answer, t`${username} was deleted.`);
    },
  });
  return (
    <Confirmation
      title={t`Delete ${username}?`}
      act={t`Delete`}
      isBusy={remove.isPending}
      error={remove.error}
      onAct={() => remove.mutate({ params: { path: { id } } })}
      onClose={onClose}
    >
      {isOwn
        ? t`This is your own credential. You will be signed out and cannot sign in with it again.`
        : t`Users of this credential are signed out and can no longer sign in.`}{' '}
      <Trans>Its actions remain in the audit trail.</Trans>
    </Confirmation>
  );
}
