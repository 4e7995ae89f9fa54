import { t } from '@lingui/core/macro';
/** How often a report is sent, as people choose it. */
export type Often = 'daily' | 'weekly' | 'monthly' | 'other';

/** A cron expression in parts. Parts that the frequency does not use keep the last choice. */
export interface When {
  often: Often;
  /** `HH:mm`. */
  time: string;
  /** Of the week: 0 is Sunday. */
  weekday: string;
  /** Of the month; `L` is its last. */
  monthDay: string;
  /** For `other`. */
  cron: string;
}

const DEFAULT: When = { often: 'weekly', time: '08:00', weekday: '1', monthDay: '1', cron: '0 8 * * 1' };
const FORM = /^(\d{1,2}) (\d{1,2}) (\*|L|[1-9]|1\d|2[0-8]) \* (\*|[0-7])$/;

/** Expressions that none of the other frequencies makes are `other`. */
export function whenOf(cron: string): When {
  const [, minute, hour, monthDay = '*', weekday = '*'] = FORM.exec(cron) ?? [];
  const other: When = { ...DEFAULT, often: 'other', cron };
  if (minute === undefined || hour === undefined || (monthDay !== '*' && weekday !== '*')) return other;
  const when = { ...DEFAULT, time: `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`, cron };
  if (monthDay !== '*') return { ...when, often: 'monthly', monthDay };
  return weekday === '*'
    ? { ...when, often: 'daily' }
    : { ...when, often: 'weekly', weekday: weekday === '7' ? '0' : weekday };
}

/** Empty if the time is. */
export function cronOf({ often, time, weekday, monthDay, cron }: When): string {
  if (often === 'other') return cron.trim().split(/\s+/).join(' ');
  if (time === '') return '';
  const [hour, minute] = time.split(':').map(Number);
  const at = `${minute} ${hour}`;
  if (often === 'daily') return `${at} * * *`;
  return often === 'weekly' ? `${at} * * ${weekday}` : `${at} ${monthDay} * *`;
}

// A Sunday.
const FIRST = Date.UTC(2026, 0, 4);
const WEEKDAY = new Intl.DateTimeFormat(undefined, { weekday: 'long', timeZone: 'UTC' });

/** From Monday on. */
export const WEEKDAYS = [1, 2, 3, 4, 5, 6, 0].map((day) => ({
  value: String(day),
  label: WEEKDAY.format(FIRST + day * 86_400_000),
}));
export const MONTH_DAYS = [
  ...Array.from({ length: 28 }, (_, i) => ({ value: String(i + 1), label: String(i + 1) })),
  { value: 'L', label: 'Last day' },
];
const OFTEN_WORDS: Record<Often, string> = {
  daily: 'Every day',
  weekly: 'Every week',
  monthly: 'Every month',
  other: 'By a cron expression',
};
export const OFTEN = Object.entries(OFTEN_WORDS).map(([value, label]) => ({ value, label }));

/** A sentence about the times. */
export function calendarText(cron: string, timeZone: string): string {
  const { often, time, weekday, monthDay } = whenOf(cron);
  if (often === 'other') return `${cron} (${timeZone})`;
  const day = {
    daily: t`Every day`,
    weekly: WEEKDAYS.find(({ value }) => value === weekday)?.label,
    monthly: monthDay === 'L' ? t`Last day of the month` : t`Day ${monthDay} of the month`,
  }[often];
  return `${day}, ${time} (${timeZone})`;
}

/** With the chosen zone and that of the browser, even if they are not among the known ones. */
export const timeZonesWith = (chosen: string): string[] =>
  [...new Set([t`UTC`, ownTimeZone(), chosen, ...Intl.supportedValuesOf('timeZone')])].sort();

export const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A time in a zone, as the calendar means it. */
export const inZone = (iso: string, timeZone: string): string =>
  new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'short', timeZone }).format(
    new Date(iso),
  );
