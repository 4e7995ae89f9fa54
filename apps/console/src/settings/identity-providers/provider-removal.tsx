import { type Api, api } from '../../api/client.ts';
import { settled } from '../act.ts';
import { Confirmation } from '../confirmation.tsx';

export function ProviderRemoval({
  of: { id, label },
  onClose,
}: {
  of: Api['IdentityProviderDto'];
  onClose: () => void;
}) {
  const remove = api.useMutation('delete', '/api/v3/identity-providers/{id}', {
    onSuccess: (answer) => {
      onClose();
      void settled(answer, `${label} was removed.`);
    },
  });
  return (
    <Confirmation
      title={`Remove ${label}?`}
      act="Remove"
      isBusy={remove.isPending}
      error={remove.error}
      onAct={() => remove.mutate({ params: { path: { id } } })}
      onClose={onClose}
    >
      Its users can no longer sign in, and their sessions end within a second. They stay in the list of users.
    </Confirmation>
  );
}
