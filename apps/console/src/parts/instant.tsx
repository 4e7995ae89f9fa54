import { t } from '@lingui/core/macro';
import { date, relative } from '../language/format.ts';
import { useAsOf } from '../time/as-of.ts';
import { useTick } from '../time/use-tick.ts';

const UNITS: [Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** A time in the local time zone, with its zone: people in other zones read it too. */
export const fullInstant = (iso: string): string => date(iso, { dateStyle: 'medium', timeStyle: 'long' });

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;

/** The last instant of a day in UTC is a due date: that day in all time zones, as the form takes it. */
const isUtcDay = (iso: string): boolean => iso.endsWith('T23:59:59.999Z');

const UTC_DAY: Intl.DateTimeFormatOptions = {
  ...{ year: 'numeric', month: 'short', day: 'numeric' },
  ...{ timeZone: 'UTC', timeZoneName: 'short' },
};

/** As `fullInstant`, of a time that can be a due date: `24 Dec 2026, UTC`. */
export const dueInstant = (iso: string): string => (isUtcDay(iso) ? date(iso, UTC_DAY) : fullInstant(iso));

const dayText = (iso: string): string =>
  date(iso, { dateStyle: 'medium', ...(isUtcDay(iso) && { timeZone: 'UTC' }) });

/** Formats ISO 8601 times in the local time zone, and due dates; other text is unchanged. */
export const localInstant = (text: string): string =>
  ISO.test(text) && !Number.isNaN(Date.parse(text)) ? dueInstant(text) : text;

/** Relative time, past or future. */
export function relativeInstant(iso: string, now = Date.now()): string {
  const seconds = (Date.parse(iso) - now) / 1000;
  const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
  return Math.abs(seconds) < 60 ? t`just now` : relative(Math.round(seconds / size), unit);
}

const MINUTE_MS = 60_000;

/**
 * A relative time, with the exact time as tooltip and in `datetime`. It stays true while nothing else changes. While a past
 * time is displayed, it is the date: what is due then is not due `5 days ago`.
 */
export function Instant({ at }: { at: string | null }) {
  useTick(MINUTE_MS);
  const { asOf } = useAsOf();
  if (at === null) return <span>–</span>;
  return (
    <time dateTime={at} title={dueInstant(at)}>
      {asOf === null ? relativeInstant(at) : dayText(at)}
    </time>
  );
}
