import { Trans } from '@lingui/react/macro';
import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useBusyDialog } from './dialog.tsx';

/** The buttons below the fields of a dialog: the second one submits its form. */
export function FormButtons({
  act,
  isBusy = false,
  isDisabled = false,
  color,
  onClose,
}: {
  /** Label of the second button. */
  act: ReactNode;
  /** Whether the request is in progress: the dialog stays open. */
  isBusy?: boolean;
  /** Whether the form cannot be sent yet. */
  isDisabled?: boolean;
  color?: string;
  onClose: () => void;
}) {
  useBusyDialog(isBusy);
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onClose} disabled={isBusy}>
        <Trans>Cancel</Trans>
      </Button>
      <Button type="submit" color={color} loading={isBusy} disabled={isDisabled}>
        {act}
      </Button>
    </Group>
  );
}
