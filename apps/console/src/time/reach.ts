const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How far back the slider reaches, and the step of the score's points, of which it takes about fifty. */
export const REACHES = {
  Day: { ms: DAY_MS, step: 'PT30M', ago: 'a day ago' },
  Week: { ms: 7 * DAY_MS, step: 'PT4H', ago: 'a week ago' },
  Month: { ms: 30 * DAY_MS, step: 'PT16H', ago: 'a month ago' },
  Year: { ms: 365 * DAY_MS, step: 'P7D', ago: 'a year ago' },
} as const;

export type Reach = keyof typeof REACHES;

/** The shortest that an instant lies within; the longest where none does. */
export const reachOf = (backMs: number): Reach =>
  (Object.keys(REACHES) as Reach[]).find((reach) => backMs <= REACHES[reach].ms) ?? 'Year';
