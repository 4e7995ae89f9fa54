import type { Since } from './asset-timeline.ts';

/** Without changes of a clock that was ahead: later ones, of the corrected clock, hold from an earlier instant on. */
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
