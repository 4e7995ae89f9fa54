/**
 * The least value that so many percent of all are at or below (nearest rank): one that was measured, never one between
 * two. Of fewer than 100 values p99 is the greatest.
 * @param percent above 0, up to 100
 * @throws RangeError where there is no value
 */
export function percentile(values: readonly number[], percent: number): number {
  if (values.length === 0) throw new RangeError('no value was measured');
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil((percent / 100) * sorted.length) - 1]!;
}

export const median = (values: readonly number[]): number => percentile(values, 50);
