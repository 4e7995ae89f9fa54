type Headers = Readonly<Record<string, string>>;

/** When an answer was sent, in epoch milliseconds: its `Date`, otherwise by our clock. */
export const answeredAt = ({ date }: Headers, clock: number): number => instantOf(date) ?? clock;

/**
 * Milliseconds from an answer until an instant of its server, by the clock of that server: ours may differ.
 * @param clock ours, epoch milliseconds, for an answer without a `Date`
 */
export const msUntil = (instant: number, headers: Headers, clock: number): number =>
  Math.max(0, instant - answeredAt(headers, clock));

/** What `Retry-After` asks to wait (RFC 9110: seconds, or a date), in milliseconds; null: nothing. @param clock as `msUntil` */
export function retryAfterMs(headers: Headers, clock: number): number | null {
  const text = headers['retry-after']?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const date = instantOf(text);
  return date === null ? null : msUntil(date, headers, clock);
}

/** Every form of a date of HTTP begins with the day's name. */
function instantOf(date = ''): number | null {
  const instant = /^[A-Za-z]{3,9}/.test(date) ? Date.parse(date) : Number.NaN;
  return Number.isNaN(instant) ? null : instant;
}
