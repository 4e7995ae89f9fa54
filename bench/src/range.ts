/** From the least of some values to the greatest. */
export interface Range {
  min: number;
  max: number;
}

/** @throws RangeError where there is no value */
export function rangeOf(values: readonly number[]): Range {
  if (values.length === 0) throw new RangeError('no value was measured');
  return { min: Math.min(...values), max: Math.max(...values) };
}
