import { type Kysely, sql } from 'kysely';
import type { Clock } from '#libs/config';
import { instant, type Schema } from '#libs/database';

const DAY_SECONDS = 86_400;
/** Removed by one statement: readers and writers wait for none. */
const REMOVED_MAX = 10_000;
const REMOVE_INTERVAL_MS = 3_600_000;

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

/** Removes what is old once an hour, and as long as there is more. */
export class HourlyRemoval {
  private doneAt = Number.NEGATIVE_INFINITY;

  /** @param remove returns whether there may be more */
  constructor(
    private readonly remove: (now: number) => Promise<boolean>,
    private readonly now: Clock,
  ) {}

  async ifDue(): Promise<void> {
    const now = this.now();
    // Also after a clock that was ahead is set back.
    if (Math.abs(now - this.doneAt) < REMOVE_INTERVAL_MS) return;
    if (!(await this.remove(now))) this.doneAt = now;
  }
}
