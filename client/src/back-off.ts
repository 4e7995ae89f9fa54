/** Limits of an exponential back-off, in milliseconds. */
export interface BackOff {
  /** Upper bound of the first delay; doubles with each further attempt. */
  firstMs: number;
  longestMs: number;
}

/**
 * The delay after failed attempts: from half of a bound up to the bound, which doubles with each attempt. The upper half
 * is random, so that clients that failed together do not retry together.
 * @param attempts number of failed attempts, at least 1
 * @param random from 0 to 1; 1 gives the bound itself
 */
export const backOffMs = (attempts: number, { firstMs, longestMs }: BackOff, random: number): number =>
  (Math.min(longestMs, firstMs * 2 ** (attempts - 1)) * (1 + random)) / 2;
