import {
  type ChangeCursor,
  type ChangeVector,
  formatCursor,
  parseCursor,
  STREAM_TOPICS,
  type StreamTopic,
} from '#libs/changes';

/** Only this service writes positions. @throws Error if the text is none */
export function placeOf(position: string): ChangeCursor {
  const place = parseCursor(position);
  if (!place) throw new Error(`not a position of the change stream: ${position.slice(0, 100)}`);
  return place;
}

/**
 * The position at a place, only of these topics: the current end for topics that it does not name, or if it is after
 * all changes.
 */
export const keptPlace = (place: ChangeCursor, topics: readonly StreamTopic[], heads: ChangeVector): string =>
  formatCursor(
    Object.fromEntries(
      STREAM_TOPICS.filter((topic) => topics.includes(topic)).map((topic) => [
        topic,
        heads[topic].map((head, partition) => Math.min(head, place[topic]?.[partition] ?? head)),
      ]),
    ),
  );

/** The number of changes after a position, including changes that a filter skips. */
export function changesBehind(position: string, heads: ChangeVector): number {
  const place = placeOf(position);
  let behind = 0;
  for (const topic of STREAM_TOPICS) {
    for (const [partition, sequence] of (place[topic] ?? []).entries()) {
      behind += Math.max(0, (heads[topic][partition] ?? 0) - sequence);
    }
  }
  return behind;
}
