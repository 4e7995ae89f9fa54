import { number } from '../language/format.ts';

export type Direction = 'up' | 'down' | 'same';

const HALF_HUNDREDTH = 0.005;

/** Direction of a change, rounded to hundredths. */
export function directionOf(by: number): Direction {
  if (Math.abs(by) < HALF_HUNDREDTH) return 'same';
  return by > 0 ? 'up' : 'down';
}

const SIGNED = {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
  signDisplay: 'exceptZero',
} as const;

/** Formats with a sign (U+2212 for minus) and two decimals. */
export const signed = (by: number): string => number(by, SIGNED).replace('-', '−');
