/** What is waited for: rows of findings that queries see, and assets whose scores count them. */
export type Stage = 'visible' | 'scored';

/** How far each partition's changes of findings had come at a moment, by sequence; partitions without any are 0. */
export interface Sighting {
  /** On the monotonic clock, ms; when the answer of the look had come. */
  at: number;
  visible: readonly number[];
  scored: readonly number[];
}

/** The last change that an upload made in a partition. */
export interface LastChange {
  partition: number;
  sequence: number;
}

/**
 * When the last of an upload's changes had come so far, by the first look that saw it.
 * @param sightings in order of time; no partition ever goes back
 * @throws Error where none saw it
 */
export function reachedAt(
  sightings: readonly Sighting[],
  stage: Stage,
  changes: readonly LastChange[],
): number {
  const isReached = (sighting: Sighting) =>
    changes.every(({ partition, sequence }) => (sighting[stage][partition] ?? 0) >= sequence);
  let [low, high] = [0, sightings.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isReached(sightings[middle]!)) high = middle;
    else low = middle + 1;
  }
  const first = sightings[low];
  if (!first) throw new Error(`an upload was never seen ${stage}`);
  return first.at;
}
