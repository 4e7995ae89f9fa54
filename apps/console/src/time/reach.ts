import { msg } from '@lingui/core/macro';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Ranges of the slider, with a step for about 50 score points. */
export const REACHES = {
  day: { ms: DAY_MS, step: 'PT30M', label: msg`Day`, ago: msg`a day ago` },
  week: { ms: 7 * DAY_MS, step: 'PT4H', label: msg`Week`, ago: msg`a week ago` },
  month: { ms: 30 * DAY_MS, step: 'PT16H', label: msg`Month`, ago: msg`a month ago` },
  year: { ms: 365 * DAY_MS, step: 'P7D', label: msg`Year`, ago: msg`a year ago` },
};

export type Reach = keyof typeof REACHES;

/** The shortest range that contains a time, or the longest range. */
export const reachOf = (backMs: number): Reach =>
  (Object.keys(REACHES) as Reach[]).find((reach) => backMs <= REACHES[reach].ms) ?? 'year';
