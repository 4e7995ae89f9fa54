export type Direction = 'up' | 'down' | 'same';

const HALF_HUNDREDTH = 0.005;

/** Which way a number goes, to the hundredth. */
export function directionOf(by: number): Direction {
  if (Math.abs(by) < HALF_HUNDREDTH) return 'same';
  return by > 0 ? 'up' : 'down';
}

const SIGNED = new Intl.NumberFormat(undefined, {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
  signDisplay: 'exceptZero',
});

/** With its sign, a real minus, and two decimals. */
export const signed = (by: number): string => SIGNED.format(by).replace('-', '−');
