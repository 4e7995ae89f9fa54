import { type Kysely, sql } from 'kysely';
import { instant, type Schema } from '#libs/database';

/** Entity keys of a partition with findings that are due at an instant, the longest overdue first. */
export async function dueEntities(
  db: Kysely<Schema>,
  partition: number,
  until: number,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ entity_key: string }>`
    select a.entity_key from asset_seen s join assets a using (partition, asset_no)
    where s.due_at <= ${instant(until)} and s.partition = ${partition}
    order by s.due_at limit ${limit}`.execute(db);
  return [...new Set(rows.map(({ entity_key }) => entity_key))];
}

/** Entity keys of a partition with live assets that have no active finding, and no signal since an instant (R-DEL-1). */
export async function idleEntities(
  db: Kysely<Schema>,
  partition: number,
  since: number,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ entity_key: string }>`
    select a.entity_key from asset_seen s join assets a using (partition, asset_no)
    where s.idle_since < ${instant(since)} and s.partition = ${partition}
    order by s.idle_since limit ${limit}`.execute(db);
  return [...new Set(rows.map(({ entity_key }) => entity_key))];
}
