import { t } from '@lingui/core/macro';
import { type Api, api } from '../../api/client.ts';
import { settled } from '../act.ts';
import { limitsOf } from '../credentials/limit-fields.tsx';
import { type WebhookFields, WebhookForm } from './webhook-form.tsx';
import { kinds } from './webhook-kinds.ts';

const INITIAL: WebhookFields = {
  kind: 'cloudevents',
  url: '',
  topics: ['findings'],
  filter: {},
  options: {},
};

export function WebhookCreation({
  onMade,
  onClose,
}: {
  onMade: (made: Api['WebhookWithSecretDto']) => void;
  onClose: () => void;
}) {
  const add = api.useMutation('post', '/api/v3/webhooks', {
    onSuccess: (made) => {
      void settled(made, t`The webhook was added.`);
      if (made.secret === null) onClose();
      else onMade(made);
    },
  });
  return (
    <WebhookForm
      title={t`Add a webhook`}
      act={t`Add`}
      draft="new webhook"
      initial={INITIAL}
      isNew
      error={add.error}
      isBusy={add.isPending}
      onSubmit={({ kind, url, topics, ...given }, secret, limits) =>
        add.mutate({
          body: {
            ...{ kind, ...given, ...limitsOf(limits) },
            // What is left empty is missing: the service says what it must be.
            ...(kinds()[kind].url && url !== '' && { url }),
            ...(kinds()[kind].secret && secret !== '' && { secret }),
            ...(kind === 'cloudevents' && { topics }),
          },
        })
      }
      onClose={onClose}
    />
  );
}
