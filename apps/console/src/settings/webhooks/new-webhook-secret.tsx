import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Api } from '../../api/client.ts';
import { ShownOnce } from '../shown-once.tsx';

export function NewWebhookSecret({
  of: { secret },
  onClose,
}: {
  of: Api['WebhookWithSecretDto'];
  onClose: () => void;
}) {
  return (
    <ShownOnce
      title={t`Secret of the webhook`}
      label={t`Secret`}
      warning={t`The secret is shown only once`}
      secret={secret ?? ''}
      done={t`I saved the secret`}
      onDone={onClose}
    >
      <Trans>
        The receiver checks the signature of each delivery with the secret. Copy it to a safe place now. If
        you lose it, replace it.
      </Trans>
    </ShownOnce>
  );
}
