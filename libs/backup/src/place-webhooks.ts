import type { Kysely } from 'kysely';
import { readHeads } from '#libs/changes';
import type { Schema } from '#libs/database';
import { keptPlace, placeOf, webhookRows } from '#libs/webhooks';

/**
 * Takes the positions of webhooks back to where the changes of the restored site end. Behind that it comes to others
 * under the numbers that they had passed; scores are numbered anew altogether, so theirs begin again.
 * @param db once the log is folded, and before anything is scored
 */
export async function placeWebhooks(db: Kysely<Schema>, partitions: number): Promise<void> {
  const heads = await readHeads(db, partitions);
  for (const { id, topics, position } of await webhookRows(db).execute()) {
    await db
      .updateTable('webhooks')
      .set({ position: keptPlace(placeOf(position), topics, heads) })
      .where('id', '=', id)
      .execute();
  }
}
