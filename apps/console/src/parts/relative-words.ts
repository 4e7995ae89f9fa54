const DAY_MS = 86_400_000;

const UNITS_MS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365.25 * DAY_MS],
  ['month', 30.4375 * DAY_MS],
  ['day', DAY_MS],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** The last instant of a day in UTC is a due date: that day in all time zones, as the form takes it. */
export const isUtcDay = (iso: string): boolean => iso.endsWith('T23:59:59.999Z');

/**
 * A time more than a minute ago or ahead, in words: `yesterday` and `tomorrow` are days of the time zone, and of UTC for a
 * due date. `next month` would be the name of another month.
 * @param timeZone undefined: the local one
 */
export function relativeWords(iso: string, now: number, locale: string, timeZone?: string): string {
  const at = Date.parse(iso);
  const [unit, size] = UNITS_MS.find(([, size]) => Math.abs(at - now) >= size) ?? UNITS_MS.at(-1)!;
  const zone = isUtcDay(iso) ? 'UTC' : timeZone;
  const isDay = unit === 'day';
  const amount = isDay ? dayIn(zone, at) - dayIn(zone, now) : Math.round((at - now) / size);
  return new Intl.RelativeTimeFormat(locale, { numeric: isDay ? 'auto' : 'always' }).format(amount, unit);
}

/** Number of the day. Swedes write dates as ISO 8601 does. */
const dayIn = (timeZone: string | undefined, at: number): number =>
  Date.parse(new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short' }).format(at)) / DAY_MS;
