import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type Api, api } from '../../api/client.ts';
import { settled } from '../act.ts';
import { Confirmation } from '../confirmation.tsx';
import { nameOf } from './webhook-kinds.ts';

export function WebhookRemoval({ of, onClose }: { of: Api['WebhookDto']; onClose: () => void }) {
  const remove = api.useMutation('delete', '/api/v3/webhooks/{id}', {
    onSuccess: (removed) => {
      onClose();
      void settled(removed, t`The webhook was removed.`);
    },
  });
  const name = <bdi>{nameOf(of)}</bdi>;
  return (
    <Confirmation
      title={t`Remove the webhook?`}
      act={t`Remove`}
      isBusy={remove.isPending}
      error={remove.error}
      onAct={() => remove.mutate({ params: { path: { id: of.id } } })}
      onClose={onClose}
    >
      {of.kind === 'cloudevents' ? (
        <Trans>
          {name} receives no more changes. The secret and the records of its deliveries are deleted.
        </Trans>
      ) : (
        <Trans>
          {name} receives no more changes. The secret and the records of its deliveries are deleted. Tickets
          stay as they are.
        </Trans>
      )}
    </Confirmation>
  );
}
