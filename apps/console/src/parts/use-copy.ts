import { t } from '@lingui/core/macro';
import { type RefObject, useEffect, useRef, useState } from 'react';

type Outcome = 'copied' | 'selected';

export const copyWords = (): Record<Outcome, string> => ({
  copied: t`Copied`,
  selected: t`Selected. Press Ctrl+C or ⌘C to copy.`,
});

const COPIED_MS = 5_000;

/** Copies the text of the element `shown`; `outcome` is the result. */
export function useCopy<Shown extends HTMLElement>(): {
  shown: RefObject<Shown | null>;
  outcome: Outcome | null;
  copy: () => void;
} {
  const shown = useRef<Shown>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  useEffect(() => {
    if (outcome !== 'copied') return;
    const timer = window.setTimeout(() => setOutcome(null), COPIED_MS);
    return () => window.clearTimeout(timer);
  }, [outcome]);
  return { shown, outcome, copy: () => void take(shown.current!).then(setOutcome) };
}

/** Selects the text if the clipboard is not available, as on pages served over plain HTTP. */
async function take(shown: HTMLElement): Promise<Outcome> {
  const isField = shown instanceof HTMLInputElement;
  try {
    await navigator.clipboard.writeText(isField ? shown.value : (shown.textContent ?? ''));
    return 'copied';
  } catch {
    if (isField) {
      shown.focus();
      shown.select();
    } else window.getSelection()?.selectAllChildren(shown);
    return 'selected';
  }
}
