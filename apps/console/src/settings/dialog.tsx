import { Modal, type ModalProps } from '@mantine/core';

/** What asks for something, or asks back, before the page goes on. */
export function Dialog(props: Omit<ModalProps, 'opened' | 'size'>) {
  return (
    <Modal
      opened
      closeButtonProps={{ 'aria-label': 'Close' }}
      styles={{ title: { fontWeight: 650, fontSize: 'var(--mantine-font-size-lg)' } }}
      {...props}
    />
  );
}
