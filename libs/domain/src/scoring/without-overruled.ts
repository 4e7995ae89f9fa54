import type { Since } from './asset-timeline.ts';

/** Without changes that a later one overrules from an earlier instant on: those of a clock that was ahead, for one. */
export function withoutOverruled<T>(segments: readonly Since<T>[]): Since<T>[] {
  let earliest = Number.POSITIVE_INFINITY;
  return segments
    .toReversed()
    .filter(({ from }) => {
      const holds = from <= earliest;
      earliest = Math.min(earliest, from);
      return holds;
    })
    .toReversed();
}
