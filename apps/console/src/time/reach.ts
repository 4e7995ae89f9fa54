const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Ranges of the slider, with a step for about 50 score points. */
export const REACHES = {
  Day: { ms: DAY_MS, step: 'PT30M', ago: 'a day ago' },
  Week: { ms: 7 * DAY_MS, step: 'PT4H', ago: 'a week ago' },
  Month: { ms: 30 * DAY_MS, step: 'PT16H', ago: 'a month ago' },
  Year: { ms: 365 * DAY_MS, step: 'P7D', ago: 'a year ago' },
} as const;

export type Reach = keyof typeof REACHES;

/** The shortest range that contains a time, or the longest range. */
export const reachOf = (backMs: number): Reach =>
  (Object.keys(REACHES) as Reach[]).find((reach) => backMs <= REACHES[reach].ms) ?? 'Year';
