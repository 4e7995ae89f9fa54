const DAY_MS = 24 * 60 * 60 * 1000;
/** 01:15 UTC (R-INT-7). */
const RUN_OF_DAY_MS = (60 + 15) * 60 * 1000;
/** After the end of a scheduled sync that failed, then of each repetition. */
const RETRIES_MS = [5, 15, 60].map((minutes) => minutes * 60_000);

/** A sync as the schedule looks at it; times are epoch ms. */
export interface PastSync {
  action: 'manual' | 'scheduled' | 'catchUp';
  /** Which repetition of a scheduled sync it is; 0: none. */
  retry: number;
  requestedAt: number;
  /** null: it waits or runs. */
  finishedAt: number | null;
  /** Whether it ended with Error. An automatic one that a user cancelled has not failed: it is not repeated. */
  hasFailed: boolean;
}

export interface DueSync {
  /** Epoch ms; may be in the past. */
  at: number;
  /** Which repetition it will be; 0: none. */
  retry: number;
}

/**
 * The time of an integration's next scheduled sync: at 01:15 UTC, the configured number of days after the last sync; if
 * the last scheduled one failed, 5, 15 and 60 minutes after its end. Null: never. A failed manual one has no effect.
 * @param past newest first; failed manual ones can be left out
 */
export function nextSync(
  { createdAt, config: { autoSyncDays } }: { createdAt: number; config: Record<string, unknown> },
  past: readonly PastSync[],
): DueSync | null {
  if (typeof autoSyncDays !== 'number') return null;
  const last = past.find(({ action, hasFailed }) => action !== 'manual' || !hasFailed);
  const at = runOfDay(last?.requestedAt ?? createdAt, autoSyncDays);
  const retryInMs = last?.hasFailed ? RETRIES_MS[last.retry] : undefined;
  const retryAt = (last?.finishedAt ?? 0) + (retryInMs ?? Number.POSITIVE_INFINITY);
  return retryAt < at ? { at: retryAt, retry: last!.retry + 1 } : { at, retry: 0 };
}

const runOfDay = (last: number, days: number): number =>
  Math.floor(last / DAY_MS) * DAY_MS + days * DAY_MS + RUN_OF_DAY_MS;
