import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { DATABASE, instant, type Schema } from '#libs/database';

const REMOVED_DAYS_AFTER = 90;

/** Refused uploads of a day in UTC (`2026-01-31`); `lastAt` is epoch ms. */
export interface RefusedUploadsRow {
  day: string;
  kind: string;
  status: number;
  reason: string;
  count: number;
  lastAt: number;
}

@Injectable()
export class RefusedUploadsRepository {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  /** Adds all rows or none. An existing row is increased by the count of its new row. */
  async add(rows: RefusedUploadsRow[]): Promise<void> {
    await this.db
      .insertInto('refused_uploads')
      .values(rows.map(({ lastAt, ...row }) => ({ ...row, last_at: new Date(lastAt) })))
      .onConflict((conflict) =>
        conflict.columns(['day', 'kind', 'status', 'reason']).doUpdateSet({
          count: sql`refused_uploads.count + excluded.count`,
          last_at: sql`greatest(refused_uploads.last_at, excluded.last_at)`,
        }),
      )
      .execute();
  }

  /** From a day in UTC on: newest day first, and most refusals first. */
  since(day: string): Promise<RefusedUploadsRow[]> {
    return this.db
      .selectFrom('refused_uploads')
      .select([sql<string>`to_char(day, 'YYYY-MM-DD')`.as('day'), 'kind', 'status', 'reason', 'count'])
      .select('last_at as lastAt')
      .where('day', '>=', sql<string>`${day}::date`)
      .orderBy(sql`refused_uploads.day`, 'desc')
      .orderBy('count', 'desc')
      .orderBy('kind')
      .orderBy('status')
      .orderBy('reason')
      .execute();
  }

  /** By the earlier of two clocks: one that is ahead removes nothing. @param now epoch ms */
  async removeOld(now: number): Promise<void> {
    await sql`
      delete from refused_uploads
       where day <= (least(now(), ${instant(now)}) at time zone 'UTC')::date - ${REMOVED_DAYS_AFTER}::integer
    `.execute(this.db);
  }
}
