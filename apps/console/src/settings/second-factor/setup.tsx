import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Code, PasswordInput, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type Api, api } from '../../api/client.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { FormButtons } from '../../parts/form-buttons.tsx';
import { FormError } from '../form-error.tsx';
import { CodeInput } from './code-dialog.tsx';
import { codeErrorOf } from './code-error.ts';
import { QrCode } from './qr-code.tsx';

/** Asks for the password, shows the secret, and asks for a code of the app. */
export function Setup({
  onMade,
  onClose,
}: {
  onMade: (recoveryCodes: string[]) => void;
  onClose: () => void;
}) {
  const [begun, setBegun] = useState<Api['BegunSecondFactorDto'] | null>(null);
  return (
    <Dialog onClose={onClose} title={t`Set up a second factor`}>
      {begun === null ? (
        <PasswordStep onBegun={setBegun} onClose={onClose} />
      ) : (
        <CodeStep begun={begun} onMade={onMade} onClose={onClose} />
      )}
    </Dialog>
  );
}

function PasswordStep({
  onBegun,
  onClose,
}: {
  onBegun: (begun: Api['BegunSecondFactorDto']) => void;
  onClose: () => void;
}) {
  const begin = api.useMutation('post', '/api/v3/second-factor', { onSuccess: onBegun });
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    begin.mutate({ body: { password: String(new FormData(event.currentTarget).get('password')) } });
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <FormError title={t`No change was made`}>{codeErrorOf(begin.error)}</FormError>
        <PasswordInput
          name="password"
          label={t`Your password`}
          autoComplete="current-password"
          required
          data-autofocus
        />
        <FormButtons act={t`Continue`} isBusy={begin.isPending} onClose={onClose} />
      </Stack>
    </form>
  );
}

function CodeStep({
  begun: { qrCode, secret },
  onMade,
  onClose,
}: {
  begun: Api['BegunSecondFactorDto'];
  onMade: (recoveryCodes: string[]) => void;
  onClose: () => void;
}) {
  const confirm = api.useMutation('post', '/api/v3/second-factor/confirm', {
    onSuccess: ({ recoveryCodes }) => onMade(recoveryCodes),
  });
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    confirm.mutate({ body: { code: String(new FormData(event.currentTarget).get('code')).trim() } });
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">
          <Trans>Scan the QR code with your authenticator app, then enter the code that it shows.</Trans>
        </Text>
        <QrCode svg={qrCode} />
        <Text size="sm">
          <Trans>
            Without a camera, enter this secret:{' '}
            <Code dir="ltr" style={{ overflowWrap: 'anywhere' }}>
              {secret}
            </Code>
          </Trans>
        </Text>
        <FormError title={t`No change was made`}>{codeErrorOf(confirm.error)}</FormError>
        <CodeInput description={t`Six digits`} />
        <FormButtons act={t`Confirm`} isBusy={confirm.isPending} onClose={onClose} />
      </Stack>
    </form>
  );
}
