/**
 * The percentile by nearest rank: a measured value, never interpolated. For fewer than 100 values p99 is the greatest.
 * @param percent above 0, up to 100
 * @throws RangeError if there is no value
 */
export function percentile(values: readonly number[], percent: number): number {
  if (values.length === 0) throw new RangeError('no value was measured');
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil((percent / 100) * sorted.length) - 1]!;
}

export const median = (values: readonly number[]): number => percentile(values, 50);
