import { t } from '@lingui/core/macro';
import { Stack, TextInput } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import type { Failure } from '../../api/client.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { FormButtons } from '../../parts/form-buttons.tsx';
import { FormError } from '../form-error.tsx';
import { codeErrorOf } from './code-error.ts';

/** Asks for a code before a change. */
export function CodeDialog({
  title,
  children,
  act,
  isBusy,
  error,
  onCode,
  onClose,
}: {
  title: string;
  children: ReactNode;
  /** Label of the button. */
  act: string;
  isBusy: boolean;
  error: Failure | null;
  onCode: (code: string) => void;
  onClose: () => void;
}) {
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    onCode(String(new FormData(event.currentTarget).get('code')).trim());
  }
  return (
    <Dialog onClose={onClose} title={title}>
      <form onSubmit={submit}>
        <Stack>
          <div>{children}</div>
          <FormError title={t`No change was made`}>{codeErrorOf(error)}</FormError>
          <CodeInput description={t`Of your authenticator app, or a recovery code`} />
          <FormButtons act={act} isBusy={isBusy} onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}

export function CodeInput({ description }: { description: string }) {
  return (
    <TextInput
      name="code"
      label={t`Code`}
      description={description}
      autoComplete="one-time-code"
      required
      maxLength={19}
      dir="ltr"
      data-autofocus
    />
  );
}
