export type Direction = 'up' | 'down' | 'same';

const HALF_HUNDREDTH = 0.005;

/** Direction of a change of points, which are rounded to hundredths. */
export const directionOf = (by: number): Direction =>
  Math.abs(by) < HALF_HUNDREDTH ? 'same' : exactDirectionOf(by);

/** Direction of a change of likelihoods, which can be of any size. */
export function exactDirectionOf(by: number): Direction {
  if (by === 0) return 'same';
  return by > 0 ? 'up' : 'down';
}
