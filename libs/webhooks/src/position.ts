import {
  type ChangeCursor,
  type ChangeVector,
  formatCursor,
  parseCursor,
  STREAM_TOPICS,
  type StreamTopic,
} from '#libs/changes';

/** Positions are written by this service alone. @throws Error where the text is none */
export function placeOf(position: string): ChangeCursor {
  const place = parseCursor(position);
  if (!place) throw new Error(`no position of the change stream: ${position.slice(0, 100)}`);
  return place;
}

/**
 * The position at a place, of these topics alone: now, of those that it does not speak of, and where it lies ahead of
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

/** How many changes lie between a position and what there is, those too that a filter passes over. */
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
