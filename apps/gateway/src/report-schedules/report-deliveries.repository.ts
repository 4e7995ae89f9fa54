import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type SqlBool, sql } from 'kysely';
import { DATABASE, instant, type Schema } from '#libs/database';
import type { Answer } from '#libs/webhooks';
import { isOlder } from '../paging/is-older.ts';
import { CHANNELS, type ReportChannel, type ReportDelivery } from './report-schedule.ts';

const PRUNED_AT_ONCE = 5_000;

/** A delivery to be sent. */
export type NewReportDelivery = Pick<
  ReportDelivery,
  'id' | 'scheduleId' | 'channel' | 'at' | 'cause' | 'createdAt'
>;

/** Sendings of reports; a transaction of Kysely will do for a database. */
@Injectable()
export class ReportDeliveriesRepository {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

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
  async take(now: number, leaseUntil: number, attemptsMax: number): Promise<ReportDelivery | undefined> {
    const { rows } = await sql<{ id: string }>`
      update report_deliveries
         set attempts = attempts + 1, last_attempt_at = ${instant(now)}, next_attempt_at = ${instant(leaseUntil)},
             answer = null
       where id = (
         select id from report_deliveries
          where status = 'pending' and next_attempt_at <= ${instant(now)} and attempts < ${attemptsMax}
          order by next_attempt_at, id limit 1
            for update skip locked)
      returning id`.execute(this.db);
    const [taken] = rows;
    return taken && (await this.rows().where('id', '=', taken.id).executeTakeFirst());
  }

  /** Ends those whose last attempt was interrupted; returns how many. */
  async endInterrupted(now: number, attemptsMax: number): Promise<number> {
    const answer: Answer = { status: null, message: 'the last attempt was interrupted', ms: 0 };
    const { numUpdatedRows } = await this.db
      .updateTable('report_deliveries')
      .set({ ...ended('failed', now), answer: JSON.stringify(answer) })
      .where('status', '=', 'pending')
      .where('next_attempt_at', '<=', instant(now))
      .where('attempts', '>=', attemptsMax)
      .executeTakeFirst();
    return Number(numUpdatedRows);
  }

  /** Returns false if another process has taken it in the meantime, or a user has ended it. */
  async finish(taken: ReportDelivery, status: 'sent' | 'failed', answer: Answer, at: number) {
    return this.update(taken, { ...ended(status, at), answer: JSON.stringify(answer) });
  }

  /** Another attempt follows at an instant; as `finish`. */
  async retry(taken: ReportDelivery, answer: Answer, nextAttemptAt: number): Promise<boolean> {
    return this.update(taken, {
      next_attempt_at: new Date(nextAttemptAt),
      answer: JSON.stringify(answer),
    });
  }

  /** The attempt does not count: nothing was sent. */
  async release(taken: ReportDelivery, nextAttemptAt: number): Promise<boolean> {
    return this.update(taken, {
      attempts: taken.attempts - 1,
      next_attempt_at: new Date(nextAttemptAt),
    });
  }

  /** Those of some channels that wait are not sent any more. */
  async endPending(
    scheduleId: string,
    message: string,
    at: number,
    channels: readonly ReportChannel[] = CHANNELS,
  ): Promise<void> {
    const answer: Answer = { status: null, message, ms: 0 };
    await this.db
      .updateTable('report_deliveries')
      .set({ ...ended('failed', at), answer: JSON.stringify(answer) })
      .where('schedule_id', '=', scheduleId)
      .where('status', '=', 'pending')
      .where('channel', 'in', channels)
      .execute();
  }

  /** Removes at most 5,000 deliveries that ended before an instant; returns their number. */
  async prune(before: number): Promise<number> {
    const { numAffectedRows = 0n } = await sql`
      delete from report_deliveries where id in (
        select id from report_deliveries where finished_at < ${instant(before)} limit ${PRUNED_AT_ONCE})`.execute(
      this.db,
    );
    return Number(numAffectedRows);
  }

  private async update({ id, attempts }: ReportDelivery, columns: object): Promise<boolean> {
    const { numUpdatedRows } = await this.db
      .updateTable('report_deliveries')
      .set(columns)
      .where('id', '=', id)
      .where('status', '=', 'pending')
      .where('attempts', '=', attempts)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
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

const ended = (status: 'sent' | 'failed', at: number) => ({
  status,
  next_attempt_at: null,
  finished_at: new Date(at),
});
