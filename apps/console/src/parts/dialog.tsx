import { t } from '@lingui/core/macro';
import { Modal, type ModalProps } from '@mantine/core';
import { createContext, useContext, useEffect, useState } from 'react';
import { useIsCovered } from '../session/session.ts';
import { useFocusReturn } from './use-focus-return.ts';

const BusyContext = createContext<(isBusy: boolean) => void>(() => {});

/**
 * Keeps the dialog around this part open while its request is in progress: what the response does would otherwise be done
 * to the dialog or the page that is open by then.
 */
export function useBusyDialog(isBusy: boolean): void {
  const setBusy = useContext(BusyContext);
  useEffect(() => {
    setBusy(isBusy);
    return () => setBusy(false);
  }, [setBusy, isBusy]);
}

interface Props extends Omit<ModalProps, 'opened'> {
  /** Whether a request is in progress: the dialog stays open. */
  isBusy?: boolean;
}

/** A modal dialog, open while it is mounted. */
export function Dialog({
  isBusy = false,
  closeOnEscape = true,
  closeOnClickOutside = true,
  withCloseButton = true,
  ...props
}: Props) {
  const [hasBusyPart, setBusyPart] = useState(false);
  const isCovered = useIsCovered();
  const isClosable = !isBusy && !hasBusyPart;
  useFocusReturn();
  return (
    <BusyContext value={setBusyPart}>
      <Modal
        opened
        returnFocus={false}
        closeOnEscape={closeOnEscape && isClosable && !isCovered}
        closeOnClickOutside={closeOnClickOutside && isClosable}
        withCloseButton={withCloseButton && isClosable}
        closeButtonProps={{ 'aria-label': t`Close` }}
        styles={{ title: { fontWeight: 650, fontSize: 'var(--mantine-font-size-lg)' } }}
        {...props}
      />
    </BusyContext>
  );
}
