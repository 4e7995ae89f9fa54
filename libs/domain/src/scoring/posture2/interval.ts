/** Of what is not known exactly. */
export interface Interval<T = number> {
  low: T;
  best: T;
  high: T;
}

export const mapInterval = <T, R>(
  { low, best, high }: Interval<T>,
  change: (value: T) => R,
): Interval<R> => ({
  low: change(low),
  best: change(best),
  high: change(high),
});

export const zipIntervals = <A, B, R>(
  a: Interval<A>,
  b: Interval<B>,
  combine: (a: A, b: B) => R,
): Interval<R> => ({
  low: combine(a.low, b.low),
  best: combine(a.best, b.best),
  high: combine(a.high, b.high),
});
