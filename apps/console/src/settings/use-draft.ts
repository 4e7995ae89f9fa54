import { useUnsaved } from './use-unsaved.ts';

/** An edited setting, with the version of the settings that it is based on. */
export interface Versioned {
  version: number;
}

/**
 * A draft of a stored setting. The settings may be requested again during the changes, so the draft keeps what it started
 * from. It survives a reload.
 * @param name of the setting
 */
export function useDraft<Draft extends Versioned>(name: string, stored: Draft) {
  const [changed, setChanged] = useUnsaved<{ draft: Draft; from: Draft } | null>(name, null);
  return {
    draft: changed?.draft ?? stored,
    /** What the changes started from; null without changes. */
    from: changed?.from ?? null,
    change: (after: (now: Draft) => Draft) =>
      setChanged((before) => ({ draft: after(before?.draft ?? stored), from: before?.from ?? stored })),
    discard: () => setChanged(null),
    /** Bases the draft on settings that have changed meanwhile: the next save replaces them deliberately. */
    rebase: (version: number) =>
      setChanged((before) => before && { ...before, draft: { ...before.draft, version } }),
  };
}
