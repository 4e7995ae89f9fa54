/** Above this a number of the header is milliseconds, below it seconds: one definition and one client differ. */
const MILLIS_FROM = 1e12;

/** Limits are a minute's (falcon.md): an instant further ahead tells that the clocks differ. */
const INSTANT_AHEAD_MS_MAX = 60_000;

/**
 * Milliseconds to wait after a 429, by `X-RateLimit-RetryAfter` (an instant, epoch milliseconds or seconds) or
 * `Retry-After` (seconds, or a date); null where neither says.
 */
export function retryAfterMs(headers: Record<string, string>, now: number): number | null {
  const instant = positive(headers['x-ratelimit-retryafter']);
  if (instant !== null) return ahead(instant > MILLIS_FROM ? instant : instant * 1000, now);
  const text = headers['retry-after'] ?? '';
  const seconds = positive(text);
  if (seconds !== null) return seconds * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : ahead(date, now);
}

const ahead = (instant: number, now: number) => Math.min(INSTANT_AHEAD_MS_MAX, Math.max(0, instant - now));

function positive(text: string | undefined): number | null {
  const number = Number(text?.trim() || Number.NaN);
  return Number.isFinite(number) && number >= 0 ? number : null;
}
