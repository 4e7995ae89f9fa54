import { Trans } from '@lingui/react/macro';
import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';

/** The buttons below the fields of a dialog: the second one submits its form. */
export function FormButtons({
  act,
  isBusy = false,
  color,
  onClose,
}: {
  /** Label of the second button. */
  act: ReactNode;
  /** Whether the request is in progress. */
  isBusy?: boolean;
  color?: string;
  onClose: () => void;
}) {
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onClose}>
        <Trans>Cancel</Trans>
      </Button>
      <Button type="submit" color={color} loading={isBusy}>
        {act}
      </Button>
    </Group>
  );
}
