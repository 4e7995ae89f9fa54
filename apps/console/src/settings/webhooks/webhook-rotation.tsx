import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type Api, api } from '../../api/client.ts';
import { settled } from '../act.ts';
import { Confirmation } from '../confirmation.tsx';

export function WebhookRotation({
  of: { id, url },
  onMade,
  onClose,
}: {
  of: Api['WebhookDto'];
  onMade: (made: Api['WebhookWithSecretDto']) => void;
  onClose: () => void;
}) {
  const rotate = api.useMutation('post', '/api/v3/webhooks/{id}/rotate', {
    onSuccess: (made) => {
      void settled(made, t`The secret was replaced.`);
      onMade(made);
    },
  });
  const receiver = <bdi>{url}</bdi>;
  return (
    <Confirmation
      title={t`Replace the secret?`}
      act={t`Replace`}
      isBusy={rotate.isPending}
      error={rotate.error}
      onAct={() => rotate.mutate({ params: { path: { id } } })}
      onClose={onClose}
    >
      <Trans>
        The service creates a new secret for {receiver}, which is shown only once. Deliveries are signed with
        both secrets for one day.
      </Trans>
    </Confirmation>
  );
}
