import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Failure } from '../api/client.ts';
import { Dialog } from '../parts/dialog.tsx';
import { sentenceOf } from '../parts/states.tsx';
import { Refusal } from './refusal.tsx';

/** Asks before what cannot be taken back; a refusal is said here. */
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
  /** What the button says. */
  act: string;
  isBusy: boolean;
  error: Failure | null;
  onAct: () => void;
  onClose: () => void;
}) {
  return (
    <Dialog onClose={onClose} title={title}>
      <Stack>
        <div>{children}</div>
        <Refusal title="Nothing was changed">{error && sentenceOf(error)}</Refusal>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button color="red.9" loading={isBusy} onClick={onAct}>
            {act}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
