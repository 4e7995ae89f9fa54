import { t } from '@lingui/core/macro';
import { date, locale } from '../language/format.ts';
import { useAsOf } from '../time/as-of.ts';
import { useTick } from '../time/use-tick.ts';
import { isUtcDay, relativeWords } from './relative-words.ts';

const MINUTE_MS = 60_000;

/** A time in the local time zone, with its zone: people in other zones read it too. */
export const fullInstant = (iso: string): string => date(iso, { dateStyle: 'medium', timeStyle: 'long' });

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;

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
export const relativeInstant = (iso: string, now = Date.now()): string =>
  Math.abs(Date.parse(iso) - now) < MINUTE_MS ? t`just now` : relativeWords(iso, now, locale());

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
