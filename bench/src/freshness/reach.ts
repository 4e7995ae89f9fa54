/** The awaited state: rows of findings that queries see, and assets whose scores count them. */
export type Stage = 'visible' | 'scored';

/** The last sequence of finding changes that each partition had reached; 0 if it has no change. */
export interface Sighting {
  /** Time of the response to the query, in ms of the monotonic clock. */
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
 * When all changes of an upload had reached a stage: the time of the first sighting that includes them.
 * @param sightings in order of time; sequences never decrease
 * @throws Error if no sighting includes them
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
