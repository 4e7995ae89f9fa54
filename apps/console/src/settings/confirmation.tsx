import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Failure } from '../api/client.ts';
import { Dialog } from '../parts/dialog.tsx';
import { sentenceOf } from '../parts/states.tsx';
import { FormError } from './form-error.tsx';

/** Confirmation of an irreversible action, with its error. */
export function Confirmation({
  title,
  children,
  act,
  isBusy,
  error,
  onAct,
  onClose,
}: {
  title: string;
  children: ReactNode;
  /** Label of the button. */
  act: string;
  isBusy: boolean;
  error: Failure | null;
  onAct: () => void;
  onClose: () => void;
}) {
  return (
    <Dialog onClose={onClose} title={title} isBusy={isBusy}>
      <Stack>
        <div>{children}</div>
        <FormError title={t`No change was made`}>{error && sentenceOf(error)}</FormError>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={isBusy} data-autofocus>
            <Trans>Cancel</Trans>
          </Button>
          <Button color="red.9" loading={isBusy} onClick={onAct}>
            {act}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
