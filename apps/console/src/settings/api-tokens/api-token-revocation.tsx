import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type Api, api } from '../../api/client.ts';
import { settled } from '../act.ts';
import { Confirmation } from '../confirmation.tsx';

export function ApiTokenRevocation({
  of: { id, name },
  onClose,
}: {
  of: Api['ApiTokenDto'];
  onClose: () => void;
}) {
  const revoke = api.useMutation('delete', '/api/v3/tokens/{id}', {
    onSuccess: (answer) => {
      onClose();
      void settled(answer, t`${name} was revoked.`);
    },
  });
  return (
    <Confirmation
      title={t`Revoke ${name}?`}
      act={t`Revoke`}
      isBusy={revoke.isPending}
      error={revoke.error}
      onAct={() => revoke.mutate({ params: { path: { id } } })}
      onClose={onClose}
    >
      <Trans>
        Programs that use the token are rejected within a second. Its actions remain in the audit trail.
      </Trans>
    </Confirmation>
  );
}
