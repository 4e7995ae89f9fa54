import { type Api, api } from '../../api/client.ts';
import { settled } from '../act.ts';
import { Confirmation } from '../confirmation.tsx';

export function FactorRemoval({
  of: { id, username },
  onClose,
}: {
  of: Api['CredentialDto'];
  onClose: () => void;
}) {
  const remove = api.useMutation('delete', '/api/v3/credentials/{id}/second-factor', {
    onSuccess: (answer) => {
      onClose();
      void settled(answer, `The second factor of ${username} was removed.`);
    },
  });
  return (
    <Confirmation
      title={`Remove the second factor of ${username}?`}
      act="Remove"
      isBusy={remove.isPending}
      error={remove.error}
      onAct={() => remove.mutate({ params: { path: { id } } })}
      onClose={onClose}
    >
      For a user who has lost the phone and the recovery codes. Until the user sets up another one, the
      password alone signs in: make sure that the request comes from the user.
    </Confirmation>
  );
}
