import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
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
      title={t`API token ${name}`}
      label={t`Token`}
      warning={t`The token is shown only once`}
      secret={token}
      done={t`I saved the token`}
      onDone={onClose}
    >
      <Trans>
        The service stores only a hash of the token. Copy it to a safe place now. If you lose it, rotate the
        token.
      </Trans>
    </ShownOnce>
  );
}
