import { t } from '@lingui/core/macro';
import { date } from '../../language/format.ts';
import { type Often, whenOf } from './calendar.ts';

const SUNDAY = Date.UTC(2026, 0, 4);
const DAY_MS = 86_400_000;

const weekdayName = (day: number): string =>
  date(SUNDAY + day * DAY_MS, { weekday: 'long', timeZone: 'UTC' });

/** From Monday on. */
export const weekdays = () =>
  [1, 2, 3, 4, 5, 6, 0].map((day) => ({ value: String(day), label: weekdayName(day) }));

export const monthDays = () => [
  ...Array.from({ length: 28 }, (_, i) => ({ value: String(i + 1), label: String(i + 1) })),
  { value: 'L', label: t({ message: 'Last day', context: 'of a month' }) },
];

const frequencyWords = (): Record<Often, string> => ({
  daily: t`Every day`,
  weekly: t`Every week`,
  monthly: t`Every month`,
  other: t`By a cron expression`,
});

export const frequencies = () => Object.entries(frequencyWords()).map(([value, label]) => ({ value, label }));

/** The times in words. */
export function calendarText(cron: string, timeZone: string): string {
  const { often, time, weekday, monthDay } = whenOf(cron);
  switch (often) {
    case 'daily':
      return t`Every day, ${time} (${timeZone})`;
    case 'weekly':
      return `${weekdayName(Number(weekday))}, ${time} (${timeZone})`;
    case 'monthly':
      return monthDay === 'L'
        ? t`Last day of the month, ${time} (${timeZone})`
        : t`Day ${monthDay} of the month, ${time} (${timeZone})`;
    case 'other':
      return `${cron} (${timeZone})`;
  }
}

/** With the chosen zone and that of the browser, even if they are not among the known ones. */
export const timeZonesWith = (chosen: string): string[] =>
  [...new Set(['UTC', ownTimeZone(), chosen, ...Intl.supportedValuesOf('timeZone')])].sort();

export const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A time in a zone, as the calendar means it. */
export const inZone = (iso: string, timeZone: string): string =>
  date(iso, { dateStyle: 'full', timeStyle: 'short', timeZone });
