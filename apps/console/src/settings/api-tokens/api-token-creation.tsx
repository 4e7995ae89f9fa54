import { t } from '@lingui/core/macro';
import { type Api, api } from '../../api/client.ts';
import { settled } from '../act.ts';
import { limitsOf, NO_LIMITS } from '../credentials/limit-fields.tsx';
import { ApiTokenForm, endAfter, lifetimes } from './api-token-form.tsx';

const INITIAL = { name: '', scopes: [], networks: [], limits: NO_LIMITS, lifetime: '90' };

export function ApiTokenCreation({
  onMade,
  onClose,
}: {
  onMade: (made: Api['ApiTokenWithSecretDto']) => void;
  onClose: () => void;
}) {
  const add = api.useMutation('post', '/api/v3/tokens', {
    onSuccess: (made) => {
      const { name } = made;
      void settled(made, t`${name} was created.`);
      onMade(made);
    },
  });
  return (
    <ApiTokenForm
      title={t`Create an API token`}
      act={t`Create`}
      draft="token"
      initial={INITIAL}
      lifetimes={lifetimes()}
      isNew
      error={add.error}
      isBusy={add.isPending}
      onSubmit={({ name, scopes, networks, limits, lifetime }) => {
        const expiresAt = endAfter(lifetime);
        add.mutate({
          body: { name, scopes, networks, ...limitsOf(limits), ...(expiresAt && { expiresAt }) },
        });
      }}
      onClose={onClose}
    />
  );
}
