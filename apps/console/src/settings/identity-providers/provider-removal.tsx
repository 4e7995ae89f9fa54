import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
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
      void settled(answer, t`${label} was removed.`);
    },
  });
  return (
    <Confirmation
      title={t`Remove ${label}?`}
      act={t`Remove`}
      isBusy={remove.isPending}
      error={remove.error}
      onAct={() => remove.mutate({ params: { path: { id } } })}
      onClose={onClose}
    >
      <Trans>
        Its users can no longer sign in, and their sessions end within a second. They stay in the list of
        users.
      </Trans>
    </Confirmation>
  );
}
