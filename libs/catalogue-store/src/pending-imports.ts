import { type Kysely, sql } from 'kysely';
import type { Schema } from '#libs/database';
import { bringIntoForce } from './bring-into-force.ts';

/**
 * Brings into force what was imported and is folded, in the order of the log: an import comes into force with its event,
 * also where whoever imported it is gone. Does nothing, by one small query, where nothing is pending; may run in several
 * processes at once.
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
  return done;
}
