import { type Api, api } from '../../api/client.ts';
import { settled } from '../act.ts';
import { limitsOf } from '../credentials/limit-fields.tsx';
import { WebhookForm } from './webhook-form.tsx';

const INITIAL = { url: '', topics: ['findings' as const], filter: {} };

export function WebhookCreation({
  onMade,
  onClose,
}: {
  onMade: (made: Api['WebhookWithSecretDto']) => void;
  onClose: () => void;
}) {
  const add = api.useMutation('post', '/api/v3/webhooks', {
    onSuccess: (made) => {
      void settled(made, 'The webhook was added.');
      onMade(made);
    },
  });
  return (
    <WebhookForm
      title="Add a webhook"
      act="Add"
      initial={INITIAL}
      hasLimits
      error={add.error}
      isBusy={add.isPending}
      onSubmit={(given, limits) => add.mutate({ body: { ...given, ...limitsOf(limits) } })}
      onClose={onClose}
    />
  );
}
