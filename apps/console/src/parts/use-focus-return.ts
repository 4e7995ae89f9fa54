import { useEffect, useState } from 'react';

/** What had the focus when each of the open dialogs came, the latest last: a dialog may follow from another. */
let trail: readonly HTMLElement[] = [];

/** For what is mounted while it is open: when it goes, the focus returns to what had it, or to the page's heading. */
export function useFocusReturn(): void {
  const [before] = useState(() => {
    const focused = document.activeElement;
    // A button that sends is disabled meanwhile, and loses the focus: what follows from its dialog still does.
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
