import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { endSession, session } from '../../session/session.ts';
import { ShownOnce } from '../shown-once.tsx';
import type { WithPassword } from './with-password.ts';

/** Users who rotated their own password sign in again. */
export function NewPassword({
  of: { username, password },
  onClose,
}: {
  of: WithPassword;
  onClose: () => void;
}) {
  const isOwn = username === session.current?.username;
  return (
    <ShownOnce
      title={t`Password of ${username}`}
      label={t`Password`}
      warning={t`The password is shown only once`}
      secret={password}
      done={isOwn ? t`I saved the password, sign in again` : t`I saved the password`}
      onDone={isOwn ? () => endSession('signedOut') : onClose}
    >
      <Trans>
        The service does not store the password in readable form. Copy it to a safe place now. If you lose it,
        rotate the password.
      </Trans>
    </ShownOnce>
  );
}
