import { type Kysely, sql } from 'kysely';
import type { Schema } from '#libs/database';
import { bringIntoForce } from './bring-into-force.ts';
import { markRescorings } from './mark-rescorings.ts';

/**
 * Brings into force what was imported and is folded, in the order of the log, and has the assets that it touches wait to be
 * scored again: an import comes into force with its event, also where whoever imported it is gone. Does nothing, by two
 * small queries, where nothing is pending; may run in several processes at once, and goes on where one of them ended.
 * @returns the ids of those that this call has brought into force
 */
export async function bringPendingIntoForce(db: Kysely<Schema>): Promise<string[]> {
  const { rows } = await sql<{ id: string; at: number }>`
    select i.id, min(a.at) as at
    from catalogue_imports i
    join acts a on a.target = i.catalogue and a.action = 'catalogue.imported'
               and a.detail -> 'after' ->> 'importId' = i.id::text
    where i.valid_from is null and i.content_hash is not null
    group by i.id order by min(a.log_offset)`.execute(db);
  const done: string[] = [];
  for (const { id, at } of rows) if (await bringIntoForce(db, id, at)) done.push(id);
  await markPending(db);
  return done;
}

/** Also of an import that whoever brought it into force has not come to the end of. */
async function markPending(db: Kysely<Schema>): Promise<void> {
  const pending = await db
    .selectFrom('catalogue_imports')
    .select('id')
    .where('marking_from', 'is not', null)
    .orderBy('valid_from')
    .execute();
  for (const { id } of pending) while (await markRescorings(db, id));
}
