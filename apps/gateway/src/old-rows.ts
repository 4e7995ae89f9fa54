import { type Kysely, sql } from 'kysely';
import { instant, type Schema } from '#libs/database';

const DAY_SECONDS = 86_400;
/** Removed by one statement: readers and writers wait for none. */
const REMOVED_MAX = 10_000;

/**
 * Removes some rows that are older, by the earlier of two clocks: one that is ahead removes nothing.
 * @param now epoch milliseconds
 * @returns whether there may be more
 */
export async function removeOldRows(
  db: Kysely<Schema>,
  table: 'act_origins' | 'security_events',
  days: number,
  now: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ctid in (
      select ctid from ${sql.table(table)}
       where at < least(now(), ${instant(now)}) - make_interval(secs => ${days * DAY_SECONDS})
       order by at limit ${REMOVED_MAX})`.execute(db);
  return numAffectedRows === BigInt(REMOVED_MAX);
}
