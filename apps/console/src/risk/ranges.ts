import { msg } from '@lingui/core/macro';
import { DAY_MS } from './use-moment.ts';

/** Time ranges of the trend, with a step for about 100 points. */
export const RANGES = {
  '7d': { label: msg`7 d`, words: msg`the last 7 days`, ms: 7 * DAY_MS, step: 'PT2H' },
  '30d': { label: msg`30 d`, words: msg`the last 30 days`, ms: 30 * DAY_MS, step: 'PT6H' },
  '90d': { label: msg`90 d`, words: msg`the last 90 days`, ms: 90 * DAY_MS, step: 'day' },
  '1y': { label: msg`1 y`, words: msg`the last year`, ms: 366 * DAY_MS, step: 'P3D' },
} as const;

export type Range = keyof typeof RANGES;

export const DEFAULT_RANGE: Range = '30d';

export const isRange = (value: string | undefined): value is Range =>
  value !== undefined && Object.hasOwn(RANGES, value);
