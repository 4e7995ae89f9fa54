const FIRST_MS = 500;
const LONGEST_MS = 30_000;

/** Exponential backoff with full jitter: anywhere from nothing up to a bound that doubles with each attempt. */
export const backoffMs = (attempt: number, random: () => number): number =>
  Math.floor(random() * Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempt - 1)));
