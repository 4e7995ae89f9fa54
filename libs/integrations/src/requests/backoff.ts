const FIRST_MS = 500;
const LONGEST_MS = 30_000;

/**
 * Exponential backoff with jitter: from half of a bound up to the bound, which doubles with each attempt up to 30 s. The
 * lower half is never left out, so that a number of attempts lasts a known time.
 */
export const backoffMs = (attempt: number, random: () => number): number =>
  Math.floor(((1 + random()) / 2) * Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempt - 1)));

const BUSY_MS = 2_000;
const BUSY_LONGEST_MS = 60_000;

/** The wait for a limit that does not say when it ends; doubles with each attempt, up to the minute that limits are of. */
export const busyMs = (attempt: number): number => Math.min(BUSY_LONGEST_MS, BUSY_MS * 2 ** (attempt - 1));
