import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { DATABASE, instant, type Schema } from '#libs/database';
import type { Answer } from '#libs/webhooks';
import { ATTEMPTS_MAX } from '../sending/attempt.ts';
import { ended, SendQueue } from '../sending/send-queue.ts';
import type { NotificationChannel } from './notification.ts';

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
export class NotificationMessagesRepository extends SendQueue {
  constructor(@Inject(DATABASE) db: Kysely<Schema>) {
    super(db, 'notification_messages');
  }

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

  /** Whether a person has a test message from after an instant in epoch ms. */
  async hasTestAfter(personId: string, after: number): Promise<boolean> {
    const test = await this.rows()
      .where('person_id', '=', personId)
      .where('is_test', '=', true)
      .where('created_at', '>', instant(after))
      .limit(1)
      .executeTakeFirst();
    return test !== undefined;
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
          where m.status = 'pending' and m.next_attempt_at <= ${instant(now)} and m.attempts < ${ATTEMPTS_MAX}
            and coalesce(p.channel, ${ENDED_BY}) = ${channel}
          order by m.next_attempt_at, m.id limit 1
            for update of m skip locked)
      returning id`.execute(this.db);
    const [taken] = rows;
    return taken && (await this.rows().where('id', '=', taken.id).executeTakeFirst());
  }

  /** There is nothing to send. */
  async skip(taken: MessageRow, now: number): Promise<void> {
    await this.update(taken, ended('skipped', null, now));
  }

  /** Pending messages of a person are not sent. @returns their ids */
  endPending(personId: string, message: string, now: number): Promise<string[]> {
    return this.endWaiting(sql`person_id = ${personId}`, message, now);
  }

  private rows() {
    return this.db
      .selectFrom('notification_messages')
      .select(['id', 'person_id as personId', 'is_test as isTest', 'status', 'attempts'])
      .select(['created_at as createdAt', sql<Answer | null>`answer`.as('answer')]);
  }
}
