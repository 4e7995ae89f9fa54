import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
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
      void settled(answer, t`The second factor of ${username} was removed.`);
    },
  });
  return (
    <Confirmation
      title={t`Remove the second factor of ${username}?`}
      act={t`Remove`}
      isBusy={remove.isPending}
      error={remove.error}
      onAct={() => remove.mutate({ params: { path: { id } } })}
      onClose={onClose}
    >
      <Trans>
        For a user who has lost the phone and the recovery codes. Until the user sets up another one, the
        password alone signs in: make sure that the request comes from the user.
      </Trans>
    </Confirmation>
  );
}
