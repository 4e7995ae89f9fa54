import { type Api, api } from '../../api/client.ts';
import { settled } from '../act.ts';
import { WebhookForm } from './webhook-form.tsx';

export function WebhookChange({ of, onClose }: { of: Api['WebhookDto']; onClose: () => void }) {
  const { id, version, url, topics, filter } = of;
  const change = api.useMutation('patch', '/api/v3/webhooks/{id}', {
    onSuccess: (changed) => {
      onClose();
      void settled(changed, 'The webhook was changed.');
    },
  });
  return (
    <WebhookForm
      title="Change the webhook"
      act="Change"
      initial={{ url, topics, filter }}
      hasLimits={false}
      error={change.error}
      isBusy={change.isPending}
      onSubmit={(given) => change.mutate({ params: { path: { id } }, body: { ...given, version } })}
      onClose={onClose}
    />
  );
}
