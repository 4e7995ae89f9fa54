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
      title="Secret of the webhook"
      label="Secret"
      secret={secret ?? ''}
      done="I saved the secret"
      onDone={onClose}
    >
      The receiver checks the signature of each delivery with the secret. Copy it to a safe place now. If you
      lose it, replace it.
    </ShownOnce>
  );
}
