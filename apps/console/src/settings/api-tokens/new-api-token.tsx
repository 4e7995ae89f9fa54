import type { Api } from '../../api/client.ts';
import { ShownOnce } from '../shown-once.tsx';

export function NewApiToken({
  of: { name, token },
  onClose,
}: {
  of: Api['ApiTokenWithSecretDto'];
  onClose: () => void;
}) {
  return (
    <ShownOnce
      title={`API token ${name}`}
      label="Token"
      secret={token}
      done="I saved the token"
      onDone={onClose}
    >
      The service stores only a hash of the token. Copy it to a safe place now. If you lose it, rotate the
      token.
    </ShownOnce>
  );
}
