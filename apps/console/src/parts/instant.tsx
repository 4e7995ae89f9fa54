import { t } from '@lingui/core/macro';
import { date, relative } from '../language/format.ts';
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

/** Formats ISO 8601 times in the local time zone; other text is unchanged. */
export const localInstant = (text: string): string =>
  ISO.test(text) && !Number.isNaN(Date.parse(text)) ? fullInstant(text) : text;

/** Relative time, past or future. */
export function relativeInstant(iso: string, now = Date.now()): string {
  const seconds = (Date.parse(iso) - now) / 1000;
  const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
  return Math.abs(seconds) < 60 ? t`just now` : relative(Math.round(seconds / size), unit);
}

const MINUTE_MS = 60_000;

/** A relative time, with the exact time as tooltip and in `datetime`. It stays true while nothing else changes. */
export function Instant({ at }: { at: string | null }) {
  useTick(MINUTE_MS);
  if (at === null) return <span>–</span>;
  return (
    <time dateTime={at} title={fullInstant(at)}>
      {relativeInstant(at)}
    </time>
  );
}
