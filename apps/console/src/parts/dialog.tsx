import { t } from '@lingui/core/macro';
import { Modal, type ModalProps } from '@mantine/core';
import { useIsCovered } from '../session/session.ts';
import { useFocusReturn } from './use-focus-return.ts';

/** A modal dialog, open while it is mounted. */
export function Dialog({ closeOnEscape = true, ...props }: Omit<ModalProps, 'opened'>) {
  const isCovered = useIsCovered();
  useFocusReturn();
  return (
    <Modal
      opened
      returnFocus={false}
      closeOnEscape={closeOnEscape && !isCovered}
      closeButtonProps={{ 'aria-label': t`Close` }}
      styles={{ title: { fontWeight: 650, fontSize: 'var(--mantine-font-size-lg)' } }}
      {...props}
    />
  );
}
