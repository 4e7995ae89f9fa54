const DAY_MS = 24 * 60 * 60 * 1000;
/** 01:15 UTC (spec §Limits). */
const RUN_OF_DAY_MS = (60 + 15) * 60 * 1000;

/**
 * When an integration is next to be synced by itself: at 01:15 UTC, so many days after the day of the last sync.
 * @param last epoch ms: when a sync was last asked for, by whomever, or else when the integration was made
 * @param days whole, 1 or more
 */
export const nextRun = (last: number, days: number): number =>
  Math.floor(last / DAY_MS) * DAY_MS + days * DAY_MS + RUN_OF_DAY_MS;
