import { Modal, type ModalProps } from '@mantine/core';
import { useIsWaiting } from '../session/session.ts';
import { useFocusReturn } from './use-focus-return.ts';

/** A modal dialog, open while it is mounted. */
export function Dialog({ closeOnEscape = true, ...props }: Omit<ModalProps, 'opened'>) {
  // The sign-in dialog above it handles the keys.
  const isWaiting = useIsWaiting();
  useFocusReturn();
  return (
    <Modal
      opened
      returnFocus={false}
      closeOnEscape={closeOnEscape && !isWaiting}
      closeButtonProps={{ 'aria-label': 'Close' }}
      styles={{ title: { fontWeight: 650, fontSize: 'var(--mantine-font-size-lg)' } }}
      {...props}
    />
  );
}
