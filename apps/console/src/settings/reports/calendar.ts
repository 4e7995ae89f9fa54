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
