/** How long a delivery is worth trying; all in milliseconds. */
export interface RetryPolicy {
  /** Before the second attempt at most; doubles with each further one. */
  firstMs: number;
  longestMs: number;
  /** A receiver that asks for more gets this. */
  askedMsMax: number;
  /** So many attempts are made at least, and for so long, before the webhook is paused. */
  attemptsMin: number;
  patienceMs: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export const RETRY_POLICY: RetryPolicy = {
  firstMs: 5_000,
  longestMs: HOUR_MS,
  askedMsMax: 24 * HOUR_MS,
  attemptsMin: 10,
  patienceMs: 72 * HOUR_MS,
};

/**
 * How long to wait for the next attempt: a bound that doubles, of which half is by chance, so that receivers that
 * failed together are not asked together; never less than the receiver asks for.
 * @param attempts made so far, one at least
 * @param random from 0 up to 1
 * @param askedMs what `Retry-After` says; null: nothing
 */
export function retryDelayMs(
  { firstMs, longestMs, askedMsMax }: RetryPolicy,
  attempts: number,
  random: number,
  askedMs: number | null,
): number {
  const bound = Math.min(longestMs, firstMs * 2 ** (attempts - 1));
  const own = (bound * (1 + random)) / 2;
  const asked = askedMs === null ? 0 : Math.min(askedMs, askedMsMax) + firstMs * random;
  return Math.round(Math.max(own, asked));
}

/** Whether a delivery was tried often and long enough. @param sinceMs from the first attempt on */
export const isExhausted = (
  { attemptsMin, patienceMs }: RetryPolicy,
  attempts: number,
  sinceMs: number,
): boolean => attempts >= attemptsMin && sinceMs >= patienceMs;

/** What `Retry-After` says (RFC 9110: seconds, or a date), in milliseconds from now on; null where it says nothing. */
export function retryAfterMs(header: string | undefined, now: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  // Every form of a date of HTTP begins with the day's name.
  const date = /^[A-Za-z]{3,9}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
