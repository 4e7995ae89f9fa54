import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type SqlBool, sql, type Updateable } from 'kysely';
import { DATABASE, instant, lockByName, type Schema } from '#libs/database';
import { type RowLimits, seesAllRows } from '#libs/tables';
import { isOlder } from '../paging/is-older.ts';
import type { ScheduleRow, Stop } from './report-schedule.ts';

/** Who reads: a limited caller sees only its own schedules. */
export interface ScheduleReader {
  credentialId: string;
  rows: RowLimits;
}

/** Report schedules as users see and change them; a transaction of Kysely will do for a database. */
@Injectable()
export class ReportSchedulesRepository {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  /** Newest first. @param after time and id of the last one before them */
  list(reader: ScheduleReader, after: [number, string] | null, limit: number): Promise<ScheduleRow[]> {
    return this.rows()
      .where(isScheduleSeenBy(reader))
      .$if(after !== null, (query) => query.where(isOlder(after!)))
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(limit)
      .execute();
  }

  find(id: string, reader: ScheduleReader): Promise<ScheduleRow | undefined> {
    return this.rows().where('id', '=', id).where(isScheduleSeenBy(reader)).executeTakeFirst();
  }

  /** Whoever reads. */
  findAny(id: string): Promise<ScheduleRow | undefined> {
    return this.rows().where('id', '=', id).executeTakeFirst();
  }

  /** As `find`. No other session changes it before the transaction ends. */
  lock(id: string, reader: ScheduleReader): Promise<ScheduleRow | undefined> {
    return this.rows().where('id', '=', id).where(isScheduleSeenBy(reader)).forUpdate().executeTakeFirst();
  }

  /** Those that are due at an instant, and that no other session has locked. */
  lockDue(until: number, limit: number): Promise<ScheduleRow[]> {
    return this.rows()
      .where('enabled', '=', true)
      .where('next_at', '<=', instant(until))
      .orderBy('next_at')
      .limit(limit)
      .forUpdate()
      .skipLocked()
      .execute();
  }

  /** Others who add a schedule wait until the end of the transaction. */
  async lockCount(): Promise<void> {
    await lockByName(this.db, 'report schedules');
  }

  async count(): Promise<number> {
    const { count } = await this.db
      .selectFrom('report_schedules')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return count;
  }

  async add({ id, name, report, cron, channels, content, enabled, ...row }: ScheduleRow): Promise<void> {
    await this.db
      .insertInto('report_schedules')
      .values({
        ...{ id, name, report, cron, channels, content, enabled, stopped: null },
        time_zone: row.timeZone,
        owner_id: row.ownerId,
        next_at: dateOrNull(row.nextAt),
        created_at: new Date(row.createdAt),
        updated_at: new Date(row.updatedAt),
      })
      .execute();
  }

  /** Counts the change. The row is locked. */
  async change(id: string, columns: Updateable<Schema['report_schedules']>, at: number): Promise<void> {
    await this.db
      .updateTable('report_schedules')
      .set(({ eb }) => ({ ...columns, version: eb('version', '+', 1), updated_at: new Date(at) }))
      .where('id', '=', id)
      .execute();
  }

  async setNext(id: string, nextAt: number | null): Promise<void> {
    await this.db
      .updateTable('report_schedules')
      .set({ next_at: dateOrNull(nextAt) })
      .where('id', '=', id)
      .execute();
  }

  /** By the service. Returns false if a user has changed it since `version`. */
  async stop({ id, version }: Pick<ScheduleRow, 'id' | 'version'>, why: Stop): Promise<boolean> {
    const { numUpdatedRows } = await this.db
      .updateTable('report_schedules')
      .set({ enabled: false, next_at: null, stopped: JSON.stringify(why) })
      .where('id', '=', id)
      .where('version', '=', version)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  /** Number of stopped schedules, by reason. */
  async countStopped(): Promise<Map<string, number>> {
    const rows = await this.db
      .selectFrom('report_schedules')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .select(sql<string>`stopped ->> 'reason'`.as('reason'))
      .where('stopped', 'is not', null)
      .groupBy(sql`stopped ->> 'reason'`)
      .execute();
    return new Map(rows.map(({ reason, count }) => [reason, count]));
  }

  /** Its deliveries go with it. */
  async remove(id: string): Promise<void> {
    await this.db.deleteFrom('report_schedules').where('id', '=', id).execute();
  }

  private rows() {
    return this.db
      .selectFrom('report_schedules')
      .select(['id', 'version', 'name', 'report', 'cron', 'channels', 'content', 'enabled'])
      .select(['time_zone as timeZone', 'owner_id as ownerId', 'next_at as nextAt'])
      .select(['created_at as createdAt', 'updated_at as updatedAt'])
      .select(sql<Stop | null>`stopped`.as('stopped'));
  }
}

const dateOrNull = (at: number | null): Date | null => (at === null ? null : new Date(at));

/** SQL: those who see all rows see every schedule, others their own. */
export const isScheduleSeenBy = ({ credentialId, rows }: ScheduleReader) =>
  seesAllRows(rows) ? sql<SqlBool>`true` : sql<SqlBool>`owner_id = ${credentialId}::uuid`;
