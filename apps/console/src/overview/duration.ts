import { t } from '@lingui/core/macro';
import { number } from '../language/format.ts';

const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;

/** `12.5 d`, `3 h` or `20 min`; `–` for null. */
export function duration(seconds: number | null): string {
  if (seconds === null) return '–';
  if (seconds >= DAY_S) return inDays(number(seconds / DAY_S, { maximumFractionDigits: 1 }));
  if (seconds >= HOUR_S) return inHours(number(Math.round(seconds / HOUR_S)));
  return inMinutes(number(Math.round(seconds / 60)));
}

const inDays = (days: string) => t({ message: `${days} d`, comment: 'days, short' });
const inHours = (hours: string) => t({ message: `${hours} h`, comment: 'hours, short' });
const inMinutes = (minutes: string) => t({ message: `${minutes} min`, comment: 'minutes, short' });
