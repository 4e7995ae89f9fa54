import { msUntil, retryAfterMs } from '#libs/back-off';

/** Above this a number of the header is milliseconds, below it seconds: one definition and one client differ. */
const MILLIS_FROM = 1e12;

/** Limits apply to a minute: without a `Date`, a longer wait means that the clocks differ. */
const WAIT_MS_MAX = 60_000;

/**
 * Milliseconds to wait after a 429 or 503, by `X-RateLimit-RetryAfter` (an instant, epoch milliseconds or seconds) or
 * `Retry-After`; null without both.
 * @param clock ours, epoch milliseconds, for an answer without a `Date`
 */
export function limitWaitMs(headers: Record<string, string>, clock: number): number | null {
  const number = Number(headers['x-ratelimit-retryafter']?.trim() || Number.NaN);
  if (!(number >= 0)) return retryAfterMs(headers, clock);
  const waitMs = msUntil(number > MILLIS_FROM ? number : number * 1000, headers, clock);
  return headers.date === undefined ? Math.min(WAIT_MS_MAX, waitMs) : waitMs;
}
