const FIRST_MS = 500;
const LONGEST_MS = 30_000;

/** Exponential backoff with full jitter: anywhere from nothing up to a bound that doubles with each attempt. */
export const backoffMs = (attempt: number, random: () => number): number =>
  Math.floor(random() * Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempt - 1)));

/** Limits are a minute's: these waits of six attempts sit one out. */
const BUSY_MS = 2_000;

/** The wait for a limit that does not say when it ends; doubles with each attempt. */
export const busyMs = (attempt: number): number => BUSY_MS * 2 ** (attempt - 1);
