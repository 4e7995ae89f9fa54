const DATE = String.raw`(\d{4})-?(\d\d)-?(\d\d)`;
const TIME = String.raw`(\d\d):?(\d\d)(?::?(\d\d)(?:[.,](\d{1,9}))?)?`;
const ZONE = String.raw`(?:Z|([+-])(\d\d)(?::?(\d\d))?)`;
const INSTANT = new RegExp(`^${DATE}T${TIME}${ZONE}$`, 'i');

const MINUTE_MS = 60_000;
const FIRST_INSTANT = Date.parse('0001-01-01T00:00:00.000Z');
const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Epoch milliseconds of an ISO 8601 instant with a zone, extended or basic form, to the millisecond; null for
 * anything else, impossible dates too, and outside the years 1 to 9999 in UTC, which only some readers know how to write.
 */
export function readInstant(text: unknown): number | null {
  const match = typeof text === 'string' ? INSTANT.exec(text.trim()) : null;
  if (!match) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((digits) => Number(digits ?? 0));
  const date = new Date(0);
  date.setUTCFullYear(year!, month! - 1, day);
  // A day that the month does not have is in another month.
  if (date.getUTCMonth() !== month! - 1) return null;
  if (hour! > 23 || minute! > 59 || second! > 60) return null;
  const millis = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3));
  const offset = zoneMinutes(match[8], match[9], match[10]);
  if (offset === null || year === 0) return null;
  const at = date.getTime() + ((hour! * 60 + minute! - offset) * 60 + second!) * 1000 + millis;
  return at >= FIRST_INSTANT && at <= LAST_INSTANT ? at : null;
}

function zoneMinutes(sign = '+', hours = '00', minutes = '00'): number | null {
  const size = Number(hours) * 60 + Number(minutes);
  if (Number(minutes) > 59 || size > 24 * 60) return null;
  return sign === '-' ? -size : size;
}

export const DAY_MS = 24 * 60 * MINUTE_MS;
