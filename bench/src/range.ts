/** The least and the greatest of some values. */
export interface Range {
  min: number;
  max: number;
}

/** @throws RangeError if there is no value */
export function rangeOf(values: readonly number[]): Range {
  if (values.length === 0) throw new RangeError('no value was measured');
  return { min: Math.min(...values), max: Math.max(...values) };
}
