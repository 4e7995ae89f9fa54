import { useEffect, useState } from 'react';

/** Elements with the focus when the open dialogs were opened, latest last. A dialog can open another one. */
let trail: readonly HTMLElement[] = [];

/** Restores the focus when a dialog closes: to the element that had it, or to the heading of the page. */
export function useFocusReturn(): void {
  const [before] = useState(() => {
    const focused = document.activeElement;
    // A submit button loses the focus while it is disabled, so the trail of its dialog is kept.
    const isWithin = document.querySelector('[role=dialog]') !== null;
    trail = [...(isWithin ? trail : []), ...(focused instanceof HTMLElement ? [focused] : [])];
    return trail;
  });
  useEffect(
    () => () => {
      const opener = before.findLast((element) => element.isConnected && element !== document.body);
      const target = opener ?? document.querySelector<HTMLElement>('h1');
      target?.focus({ preventScroll: true });
    },
    [before],
  );
}
