import { nextAfter } from '../report-schedules/occurrences.ts';
import type { NotificationSchedule } from './notification.ts';

/** When a person wants messages; times of day are `HH:MM` in the IANA time zone. */
export interface SendingTimes {
  timeZone: string;
  schedule: NotificationSchedule;
  /** Of digests. */
  dailyAt: string;
  /** Of a weekly digest: 1, Monday, to 7. */
  weekday: number;
  /** Nothing is sent in between; null: always. They differ. */
  quiet: { from: string; to: string } | null;
}

/** What happens within this time after the first of it is one message. */
export const GATHER_MS = 30_000;

/**
 * When a message with what has happened at an instant is sent: after the time of gathering, or at the next digest, and then
 * not within quiet hours.
 * @param at epoch ms
 */
export function sendingTime(times: SendingTimes, at: number): number {
  const { timeZone, schedule, dailyAt, weekday } = times;
  if (schedule === 'immediate') return afterQuiet(times, at + GATHER_MS);
  const days = schedule === 'weekly' ? String(weekday % 7) : '*';
  return afterQuiet(times, nextOf(dailyAt, timeZone, at, days));
}

const TIMES_OF_DIGESTS = ['schedule', 'timeZone', 'dailyAt', 'weekday'] as const;

/**
 * When what waits is sent after its person has saved preferences: not later than planned if digests keep their times, or if
 * it is due already.
 */
export function sendingTimeAfterChange(
  { nextMessageAt: planned, ...before }: SendingTimes & { nextMessageAt: number | null },
  after: SendingTimes,
  now: number,
): number {
  const next = sendingTime(after, now);
  if (planned === null) return next;
  const isKept = planned <= now || TIMES_OF_DIGESTS.every((name) => before[name] === after[name]);
  return isKept ? Math.min(next, afterQuiet(after, Math.max(planned, now))) : next;
}

/** The instant itself, or the end of the quiet hours that it is in. */
export function afterQuiet(
  { timeZone, quiet }: Pick<SendingTimes, 'timeZone' | 'quiet'>,
  at: number,
): number {
  if (quiet === null) return at;
  // A time that the clock repeats occurs once, so that quiet hours end once.
  const end = nextOf(quiet.to, timeZone, at);
  return end < nextOf(quiet.from, timeZone, at) ? end : at;
}

/** When due dates are looked at next: once a day. */
export const nextCheck = (
  { dailyAt, timeZone }: Pick<SendingTimes, 'dailyAt' | 'timeZone'>,
  at: number,
): number => nextOf(dailyAt, timeZone, at);

function nextOf(time: string, timeZone: string, after: number, days = '*'): number {
  const [hour, minute] = time.split(':').map(Number);
  // A daily time always comes.
  return nextAfter({ cron: `${minute} ${hour} * * ${days}`, timeZone }, after)!;
}
