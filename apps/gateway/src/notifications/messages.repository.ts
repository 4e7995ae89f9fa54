import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { DATABASE, instant, type Schema } from '#libs/database';
import type { Answer } from '#libs/webhooks';
import type { NotificationChannel } from './notification.ts';

const PRUNED_AT_ONCE = 5_000;
/** The channel on which messages are taken whose person has none any more. */
const ENDED_BY: NotificationChannel = 'email';

/** A message to a person; times are epoch ms. */
export interface MessageRow {
  id: string;
  personId: string;
  isTest: boolean;
  /** `skipped`: everything in it was read before, or may no longer be seen. */
  status: 'pending' | 'sent' | 'failed' | 'skipped';
  attempts: number;
  createdAt: number;
  answer: Answer | null;
}

/** Messages of notifications; a transaction of Kysely will do for a database. */
@Injectable()
export class NotificationMessagesRepository {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  /** To be sent at once. */
  async add({
    id,
    personId,
    isTest,
    createdAt,
  }: Pick<MessageRow, 'id' | 'personId' | 'isTest' | 'createdAt'>) {
    const at = new Date(createdAt);
    await this.db
      .insertInto('notification_messages')
      .values({
        ...{ id, person_id: personId, is_test: isTest, status: 'pending' },
        ...{ created_at: at, next_attempt_at: at },
      })
      .execute();
  }

  /** The last message of a person. */
  last(personId: string): Promise<MessageRow | undefined> {
    return this.rows()
      .where('person_id', '=', personId)
      .orderBy('created_at', 'desc')
      .limit(1)
      .executeTakeFirst();
  }

  /** When a message or a person is due next, in epoch ms; null: none is. From the first entries of two indexes. */
  async nextWorkAt(): Promise<number | null> {
    const { rows } = await sql<{ at: number | null }>`
      select least((select min(next_message_at) from notification_people),
                   (select min(next_attempt_at) from notification_messages where status = 'pending')) as at`.execute(
      this.db,
    );
    return rows[0]!.at;
  }

  /**
   * Takes one that is due on a channel, and counts the attempt. Until `leaseUntil` no other process takes it; if this process ends before
   * it stores the outcome, another attempt follows.
   */
  async take(channel: NotificationChannel, now: number, leaseUntil: number): Promise<MessageRow | undefined> {
    const { rows } = await sql<{ id: string }>`
      update notification_messages
         set attempts = attempts + 1, next_attempt_at = ${instant(leaseUntil)}, answer = null
       where id = (
         select m.id from notification_messages m left join notification_people p using (person_id)
          where m.status = 'pending' and m.next_attempt_at <= ${instant(now)}
            and coalesce(p.channel, ${ENDED_BY}) = ${channel}
          order by m.next_attempt_at, m.id limit 1
            for update of m skip locked)
      returning id`.execute(this.db);
    const [taken] = rows;
    return taken && (await this.rows().where('id', '=', taken.id).executeTakeFirst());
  }

  async finish(taken: MessageRow, status: 'sent' | 'failed' | 'skipped', answer: Answer | null, at: number) {
    await this.update(taken, {
      ...{ status, next_attempt_at: null, finished_at: new Date(at) },
      answer: answer && JSON.stringify(answer),
    });
  }

  /** Another attempt follows at an instant. */
  async retry(taken: MessageRow, answer: Answer, nextAttemptAt: number): Promise<void> {
    await this.update(taken, { next_attempt_at: new Date(nextAttemptAt), answer: JSON.stringify(answer) });
  }

  /** The attempt does not count: nothing was sent. */
  async release(taken: MessageRow, nextAttemptAt: number): Promise<void> {
    await this.update(taken, { attempts: taken.attempts - 1, next_attempt_at: new Date(nextAttemptAt) });
  }

  /** Those that wait are not sent any more. @returns their ids */
  async endPending(personId: string, message: string, at: number): Promise<string[]> {
    const answer: Answer = { status: null, message, ms: 0 };
    const ended = await this.db
      .updateTable('notification_messages')
      .set({
        ...{ status: 'failed', next_attempt_at: null, finished_at: new Date(at) },
        answer: JSON.stringify(answer),
      })
      .where('person_id', '=', personId)
      .where('status', '=', 'pending')
      .returning('id')
      .execute();
    return ended.map(({ id }) => id);
  }

  /** Removes those of before an instant, some thousand of them; returns how many. */
  async prune(before: number): Promise<number> {
    const { numAffectedRows = 0n } = await sql`
      delete from notification_messages where id in (
        select id from notification_messages where finished_at < ${instant(before)} limit ${PRUNED_AT_ONCE})`.execute(
      this.db,
    );
    return Number(numAffectedRows);
  }

  /** Nothing if another process has taken it in the meantime, or a user has ended it. */
  private async update({ id, attempts }: MessageRow, columns: object): Promise<void> {
    await this.db
      .updateTable('notification_messages')
      .set(columns)
      .where('id', '=', id)
      .where('status', '=', 'pending')
      .where('attempts', '=', attempts)
      .execute();
  }

  private rows() {
    return this.db
      .selectFrom('notification_messages')
      .select(['id', 'person_id as personId', 'is_test as isTest', 'status', 'attempts'])
      .select(['created_at as createdAt', sql<Answer | null>`answer`.as('answer')]);
  }
}
