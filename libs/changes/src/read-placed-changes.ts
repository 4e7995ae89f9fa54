import type { Kysely } from 'kysely';
import type { ChangeEvent } from '#libs/contracts';
import type { Schema } from '#libs/database';
import type { StreamTopic } from './change-cursor.ts';
import { type ChangePlaces, readChangePlaces } from './change-places.ts';
import type { ChangeBounds, HistoryRange } from './history-range.ts';
import { readChanges } from './read-changes.ts';

export interface PlacedEvent {
  event: ChangeEvent;
  places: ChangePlaces;
}

/**
 * As `readChanges`, with the places of the assets. They are read after the changes: what a change contains of the present is
 * not newer than the present place.
 * @throws HistoryGapError
 */
export async function readPlacedChanges(
  db: Kysely<Schema>,
  topic: StreamTopic,
  range: HistoryRange,
  bounds: ChangeBounds,
): Promise<PlacedEvent[]> {
  const events = await readChanges(db, topic, range, bounds);
  const last = events.at(-1);
  if (!last) return [];
  const { partition, after } = range;
  const through = last.changed.change.sequence;
  const places = await readChangePlaces(db, topic, { partition, after, through });
  return events.map((event) => ({ event, places: places.get(event.changed.change.sequence)! }));
}
