import { type ChangeCursor, type ChangeVector, parseCursor, STREAM_TOPICS } from '#libs/changes';

/** Positions are written by this service alone. @throws Error where the text is none */
export function placeOf(position: string): ChangeCursor {
  const place = parseCursor(position);
  if (!place) throw new Error(`no position of the change stream: ${position.slice(0, 100)}`);
  return place;
}

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
