import type { Kysely } from 'kysely';
import { type ChangeCursor, readHeads } from '#libs/changes';
import type { Schema } from '#libs/database';
import { keptPlace, placeOf, webhookRows } from '#libs/webhooks';

/**
 * A log with another number of partitions numbers all changes anew: of its topics, everything is delivered again.
 */
const placeAmong = (place: ChangeCursor, partitions: number): ChangeCursor =>
  Object.fromEntries(
    Object.entries(place).map(([topic, sequences]) => [
      topic,
      sequences.length === partitions ? sequences : Array.from({ length: partitions }, () => 0),
    ]),
  );

/**
 * Resets the positions of webhooks to the end of the restored site's changes. The site then reuses the later numbers
 * for other changes. All scores are numbered again, so their positions start at the beginning.
 * @param db once the log is folded, and before anything is scored
 */
export async function placeWebhooks(db: Kysely<Schema>, partitions: number): Promise<void> {
  const heads = await readHeads(db, partitions);
  for (const { id, topics, position } of await webhookRows(db).execute()) {
    await db
      .updateTable('webhooks')
      .set({ position: keptPlace(placeAmong(placeOf(position), partitions), topics, heads) })
      .where('id', '=', id)
      .execute();
  }
}
