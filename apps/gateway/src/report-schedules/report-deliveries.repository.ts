import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type SqlBool, sql } from 'kysely';
import { DATABASE, instant, type Schema } from '#libs/database';
import type { Answer } from '#libs/webhooks';
import { isOlder } from '../paging/is-older.ts';
import { ATTEMPTS_MAX } from '../sending/attempt.ts';
import { SendQueue } from '../sending/send-queue.ts';
import { CHANNELS, type ReportChannel, type ReportDelivery } from './report-schedule.ts';

/** A delivery to be sent. */
export type NewReportDelivery = Pick<
  ReportDelivery,
  'id' | 'scheduleId' | 'channel' | 'at' | 'cause' | 'createdAt'
>;

/** Sendings of reports; a transaction of Kysely will do for a database. */
@Injectable()
export class ReportDeliveriesRepository extends SendQueue {
  constructor(@Inject(DATABASE) db: Kysely<Schema>) {
    super(db, 'report_deliveries');
  }

  /** To be sent at once. What is there for the same time and channel stays as it is. */
  async add(deliveries: readonly NewReportDelivery[]): Promise<void> {
    await this.db
      .insertInto('report_deliveries')
      .values(
        deliveries.map(({ id, scheduleId, channel, at, cause, createdAt }) => ({
          ...{ id, schedule_id: scheduleId, channel, cause, status: 'pending' as const },
          at: new Date(at),
          created_at: new Date(createdAt),
          next_attempt_at: new Date(createdAt),
        })),
      )
      .onConflict((conflict) => conflict.columns(['schedule_id', 'at', 'channel']).doNothing())
      .execute();
  }

  /** Whether one that a user asked for is pending. */
  async isUserWaiting(scheduleId: string): Promise<boolean> {
    const row = await this.db
      .selectFrom('report_deliveries')
      .select('id')
      .where('schedule_id', '=', scheduleId)
      .where('cause', '=', 'user')
      .where('status', '=', 'pending')
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  /**
   * When a schedule or a delivery is due next, in epoch ms; null: none is. From the first entries of two indexes.
   * @param settledMs how long after its time a schedule is due
   */
  async nextWorkAt(settledMs: number): Promise<number | null> {
    const { rows } = await sql<{ scheduled: number | null; pending: number | null }>`
      select (select min(next_at) from report_schedules where enabled) as scheduled,
             (select min(next_attempt_at) from report_deliveries where status = 'pending') as pending`.execute(
      this.db,
    );
    const { scheduled, pending } = rows[0]!;
    if (scheduled === null) return pending;
    return Math.min(scheduled + settledMs, pending ?? Number.POSITIVE_INFINITY);
  }

  /** Newest first. @param after time and id of the last one before them */
  list(scheduleId: string, after: [number, string] | null, limit: number): Promise<ReportDelivery[]> {
    return this.rows()
      .where('schedule_id', '=', scheduleId)
      .$if(after !== null, (query) => query.where(isOlder(after!)))
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(limit)
      .execute();
  }

  /** The last report of each schedule: one delivery for each of its channels. */
  last(scheduleIds: readonly string[]): Promise<ReportDelivery[]> {
    if (scheduleIds.length === 0) return Promise.resolve([]);
    return this.rows()
      .where('schedule_id', 'in', scheduleIds)
      .where(
        sql<SqlBool>`at = (select max(l.at) from report_deliveries l where l.schedule_id = report_deliveries.schedule_id)`,
      )
      .orderBy('channel')
      .execute();
  }

  /**
   * Takes one that is due, and counts the attempt. Until `leaseUntil` no other process takes it; if this process ends
   * before it stores the outcome, another attempt follows.
   */
  async take(now: number, leaseUntil: number): Promise<ReportDelivery | undefined> {
    const { rows } = await sql<{ id: string }>`
      update report_deliveries
         set attempts = attempts + 1, last_attempt_at = ${instant(now)}, next_attempt_at = ${instant(leaseUntil)},
             answer = null
       where id = (
         select id from report_deliveries
          where status = 'pending' and next_attempt_at <= ${instant(now)} and attempts < ${ATTEMPTS_MAX}
          order by next_attempt_at, id limit 1
            for update skip locked)
      returning id`.execute(this.db);
    const [taken] = rows;
    return taken && (await this.rows().where('id', '=', taken.id).executeTakeFirst());
  }

  /** Pending deliveries of some channels are not sent. */
  async endPending(
    scheduleId: string,
    message: string,
    now: number,
    channels: readonly ReportChannel[] = CHANNELS,
  ): Promise<void> {
    const which = sql<SqlBool>`schedule_id = ${scheduleId} and channel = any(${[...channels]}::text[])`;
    await this.endWaiting(which, message, now);
  }

  private rows() {
    return this.db
      .selectFrom('report_deliveries')
      .select(['id', 'schedule_id as scheduleId', 'channel', 'at', 'cause', 'status', 'attempts'])
      .select(['created_at as createdAt', 'last_attempt_at as lastAttemptAt'])
      .select(['next_attempt_at as nextAttemptAt', 'finished_at as finishedAt'])
      .select(sql<Answer | null>`answer`.as('answer'));
  }
}
