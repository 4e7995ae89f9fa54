/** Above this a number of the header is milliseconds, below it seconds: one definition and one client differ. */
const MILLIS_FROM = 1e12;

/** Limits apply to a minute: an instant further ahead of our clock means that the clocks differ. */
const INSTANT_AHEAD_MS_MAX = 60_000;

/**
 * Milliseconds to wait after a 429 or 503, by `X-RateLimit-RetryAfter` (an instant, epoch milliseconds or seconds) or
 * `Retry-After` (seconds, or a date); null without both. Instants are by the vendor's clock, which its `Date` reports:
 * ours may be ahead.
 *
 * @param clock ours, epoch milliseconds, for an answer without a `Date`
 */
export function retryAfterMs(headers: Record<string, string>, clock: number): number | null {
  const vendorNow = instantOf(headers.date);
  const ahead = (instant: number) =>
    Math.max(0, vendorNow === null ? Math.min(INSTANT_AHEAD_MS_MAX, instant - clock) : instant - vendorNow);
  const instant = positive(headers['x-ratelimit-retryafter']);
  if (instant !== null) return ahead(instant > MILLIS_FROM ? instant : instant * 1000);
  const text = headers['retry-after'] ?? '';
  const seconds = positive(text);
  if (seconds !== null) return seconds * 1000;
  const date = instantOf(text);
  return date === null ? null : ahead(date);
}

/** When an answer was sent, in epoch milliseconds: its `Date`, otherwise by our clock. */
export const answeredAt = ({ date }: Record<string, string>, clock: number): number =>
  instantOf(date) ?? clock;

function instantOf(date = ''): number | null {
  const instant = Date.parse(date);
  return Number.isNaN(instant) ? null : instant;
}

function positive(text: string | undefined): number | null {
  const number = Number(text?.trim() || Number.NaN);
  return Number.isFinite(number) && number >= 0 ? number : null;
}
