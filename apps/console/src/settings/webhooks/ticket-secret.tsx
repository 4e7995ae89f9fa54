import { t } from '@lingui/core/macro';
import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type Api, api } from '../../api/client.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { FormButtons } from '../../parts/form-buttons.tsx';
import { formErrorsOf, settled } from '../act.ts';
import { FormError } from '../form-error.tsx';
import { SecretField } from './secret-field.tsx';
import { kinds, nameOf } from './webhook-kinds.ts';

/** Another secret of the system that a webhook keeps tickets in. */
export function TicketSecret({ of, onClose }: { of: Api['WebhookDto']; onClose: () => void }) {
  const [secret, setSecret] = useState('');
  const rotate = api.useMutation('post', '/api/v3/webhooks/{id}/rotate', {
    onSuccess: (changed) => {
      onClose();
      void settled(changed, t`The secret was replaced.`);
    },
  });
  const { fields, general } = formErrorsOf(rotate.error, (path) => path === 'secret');
  return (
    <Dialog onClose={onClose} title={t`Replace the secret`}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          rotate.mutate({
            params: { path: { id: of.id } },
            body: { ...(secret.trim() !== '' && { secret: secret.trim() }) },
          });
        }}
      >
        <Stack>
          <FormError>{general}</FormError>
          <Text dir="auto" style={{ overflowWrap: 'anywhere' }}>
            {nameOf(of)}
          </Text>
          <SecretField
            {...kinds()[of.kind].secret!}
            value={secret}
            onChange={setSecret}
            error={fields.secret}
            isFirst
          />
          <FormButtons act={t`Replace`} isBusy={rotate.isPending} onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
