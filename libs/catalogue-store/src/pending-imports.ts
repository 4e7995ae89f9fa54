import { type Kysely, sql } from 'kysely';
import type { Schema } from '#libs/database';
import { bringIntoForce } from './bring-into-force.ts';
import { markRescorings } from './mark-rescorings.ts';

/**
 * Brings folded imports into force, in the order of the log, and marks the affected assets for scoring: an import comes
 * into force with its event, also if the importing process has ended. If nothing is pending, it runs only two small
 * queries. Several processes may run it at once; it resumes an interrupted run.
 * @returns the ids of the imports that this call has brought into force
 */
export async function bringPendingIntoForce(db: Kysely<Schema>): Promise<string[]> {
  const { rows } = await sql<{ id: string; at: number; effectiveFrom: number | null }>`
    select i.id, min(a.at) as at,
           (min(a.detail -> 'after' ->> 'effectiveFrom'))::timestamptz as "effectiveFrom"
    from catalogue_imports i
    join acts a on a.target = i.catalogue and a.action = 'catalogue.imported'
               and a.detail -> 'after' ->> 'importId' = i.id::text
    where i.valid_from is null and i.content_hash is not null
    group by i.id order by min(a.log_offset)`.execute(db);
  const done: string[] = [];
  for (const { id, ...instants } of rows) if (await bringIntoForce(db, id, instants)) done.push(id);
  await markPending(db);
  return done;
}

/** Also of an import whose activation was interrupted. */
async function markPending(db: Kysely<Schema>): Promise<void> {
  const pending = await db
    .selectFrom('catalogue_imports')
    .select('id')
    .where('marking_from', 'is not', null)
    .orderBy('valid_from')
    .execute();
  for (const { id } of pending) while (await markRescorings(db, id));
}
