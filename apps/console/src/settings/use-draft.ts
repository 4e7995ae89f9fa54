import { useCallback, useState } from 'react';
import { useUnsaved } from './use-unsaved.ts';

/** An edited setting, with the version of the settings that it is based on. */
export interface Versioned {
  version: number;
}

/**
 * A draft of a stored setting. The settings may be requested again during the changes, so the draft keeps what it started
 * from. It survives a reload.
 * @param name of the setting
 * @param stored the same object until the settings are read again
 * @param isHeld while a part of the draft is edited in a dialog: what the dialog shows must still be in the draft when it closes
 */
export function useDraft<Draft extends Versioned>(name: string, stored: Draft, isHeld = false) {
  const [changed, setChanged] = useUnsaved<{ draft: Draft; from: Draft } | null>(name, null);
  const [start, setStart] = useState(stored);
  if (!isHeld && start !== stored) setStart(stored);
  return {
    draft: changed?.draft ?? start,
    /** What the changes started from; null without changes. */
    from: changed?.from ?? null,
    change: useCallback(
      (after: (now: Draft) => Draft) =>
        setChanged((before) => ({ draft: after(before?.draft ?? start), from: before?.from ?? start })),
      [start, setChanged],
    ),
    discard: () => setChanged(null),
    /** Bases the draft on settings that have changed meanwhile: the next save replaces them deliberately. */
    rebase: (version: number) =>
      setChanged((before) => before && { ...before, draft: { ...before.draft, version } }),
  };
}
