import { BadRequestException } from '@nestjs/common';
import { DAY_MS } from '#libs/domain';

/** Points of a history, at most. */
export const POINTS_MAX = 400;

const DEFAULT_DAYS = 30;
const HOUR_MS = DAY_MS / 24;
const STEPS: Record<string, number> = { hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS };
const DURATION =
  /^P(?=.)(?:(\d{1,5})W|(?:(\d{1,5})D)?(?:T(?=.)(?:(\d{1,5})H)?(?:(\d{1,5})M)?(?:(\d{1,5})S)?)?)$/;

/** Milliseconds of `hour`, `day`, `week` or an ISO 8601 duration without years and months; null for anything else and for nothing. */
export function readStep(text: string): number | null {
  if (Object.hasOwn(STEPS, text)) return STEPS[text]!;
  const match = DURATION.exec(text);
  if (!match) return null;
  const [weeks, days, hours, minutes, seconds] = match.slice(1).map((digits) => Number(digits ?? 0));
  const ms =
    (weeks! * 7 + days!) * DAY_MS +
    hours! * HOUR_MS +
    minutes! * (HOUR_MS / 60) +
    seconds! * (HOUR_MS / 3600);
  return ms || null;
}

/** The requested range, in epoch milliseconds. */
export interface HistoryRange {
  from?: number;
  to?: number;
  /** Milliseconds; a day if left out. */
  step?: number;
}

/**
 * The instants from `from` on, a step apart, up to `to`, the present at most; without them the last 30 days.
 * @throws BadRequestException if there is none, or if they are more than `POINTS_MAX`
 */
export function historyPoints({ from, to, step = DAY_MS }: HistoryRange, now: number): number[] {
  const last = Math.min(to ?? now, now);
  const first = Math.max(from ?? last - DEFAULT_DAYS * DAY_MS, 0);
  if (first > last) throw new BadRequestException('from must not be after to or in the future');
  const count = Math.floor((last - first) / step) + 1;
  if (count > POINTS_MAX) {
    throw new BadRequestException(
      `step: the request has ${count} points, at most ${POINTS_MAX} are allowed: use a longer step or a shorter period`,
    );
  }
  return Array.from({ length: count }, (_, i) => first + i * step);
}
