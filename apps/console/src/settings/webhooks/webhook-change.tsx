import { t } from '@lingui/core/macro';
import { type Api, api } from '../../api/client.ts';
import { refreshIfStale, settled } from '../act.ts';
import { type WebhookFields, WebhookForm } from './webhook-form.tsx';
import { kinds } from './webhook-kinds.ts';

export function WebhookChange({ of, onClose }: { of: Api['WebhookDto']; onClose: () => void }) {
  const { id, version, kind, url, topics, filter, options } = of;
  const change = api.useMutation('patch', '/api/v3/webhooks/{id}', {
    onSuccess: (changed) => {
      onClose();
      void settled(changed, t`The webhook was changed.`);
    },
    onError: refreshIfStale,
  });
  return (
    <WebhookForm
      title={t`Change the webhook`}
      act={t`Change`}
      draft={`webhook ${id} ${version}`}
      initial={{ kind, url, topics, filter, options }}
      isNew={false}
      error={change.error}
      isBusy={change.isPending}
      onSubmit={(given, secret) =>
        change.mutate({
          params: { path: { id } },
          body: { ...changeOf(given), ...(secret !== '' && { secret }), version },
        })
      }
      onClose={onClose}
    />
  );
}

/** The fields that a kind has. */
const changeOf = ({ kind, url, topics, filter, options }: WebhookFields): Api['ChangeWebhookDto'] => ({
  ...(kinds()[kind].url && { url }),
  ...(kind === 'cloudevents' ? { topics } : { options }),
  filter,
});
