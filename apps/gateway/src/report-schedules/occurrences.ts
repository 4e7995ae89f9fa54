import { Cron } from 'croner';

/** When a schedule is due: a cron expression of five fields, in the time of an IANA time zone. */
export interface Calendar {
  cron: string;
  timeZone: string;
}

/** The minute is a number: a report is sent once an hour at most. */
const MINUTE = /^\d{1,2}$/;
const FIELDS = 5;
const DAY_MS = 86_400_000;
/** Longer than the longest time between two dates of a calendar, 29 February before and after 2100. */
const FAR_MS = 9 * 366 * DAY_MS;

/**
 * What is wrong with a calendar, as what is expected of `cron`; null if it is valid.
 * @param now epoch ms
 */
export function calendarProblem({ cron, timeZone }: Calendar, now: number): string | null {
  const fields = cron.split(' ');
  if (fields.length !== FIELDS) {
    return 'cron must have five fields, separated by one space: minute, hour, day of the month, month, day of the week';
  }
  if (!MINUTE.test(fields[0]!)) {
    return 'cron must begin with one minute from 0 to 59: a report is sent once an hour at most';
  }
  try {
    const next = nextAfter({ cron, timeZone }, now);
    return next === null || next > now + FAR_MS ? 'cron must name a time that comes' : null;
  } catch {
    return 'cron must be an expression such as 0 8 * * 1 (Mondays at 8:00) or 0 8 1 * * (the first of each month)';
  }
}

/** The first time after an instant; epoch ms; null: there is none. */
export const nextAfter = (calendar: Calendar, after: number): number | null =>
  cronOf(calendar).nextRun(new Date(after))?.getTime() ?? null;

/** The next times after an instant, in order. */
export const nextTimes = (calendar: Calendar, after: number, count: number): number[] =>
  cronOf(calendar)
    .nextRuns(count, new Date(after))
    .map((time) => time.getTime());

/**
 * The last time up to an instant, of those from `due` on: of several that were missed, one report is sent.
 * @param due when it was due, epoch ms
 */
export function lastDue(calendar: Calendar, due: number, until: number): number {
  // Croner returns times before the reference.
  const [last] = cronOf(calendar).previousRuns(1, new Date(until + 1));
  return Math.max(due, last?.getTime() ?? due);
}

const cronOf = ({ cron, timeZone }: Calendar): Cron =>
  new Cron(cron, { timezone: timeZone, mode: '5-part', paused: true });
