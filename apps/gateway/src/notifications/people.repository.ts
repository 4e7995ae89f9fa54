import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type SqlBool, sql, type Updateable } from 'kysely';
import { DATABASE, instant, type Schema } from '#libs/database';
import { KINDS, type NotificationChannel, type NotificationKind } from './notification.ts';
import { nextCheck, type SendingTimes } from './sending-times.ts';

/** Of people who have not chosen, as the columns have them. */
const DEFAULT_TIMES = { dailyAt: '08:00', timeZone: 'UTC' };

/** How long a message waits for a look that is due. */
const LOOK_AWAITED_MS = 60_000;

/** A person as stored; times are epoch ms. */
export interface PersonRow extends SendingTimes {
  personId: string;
  kinds: string[];
  teams: string[];
  channel: NotificationChannel | null;
  /** Sealed; null where there is no channel. */
  content: string | null;
  checkedThrough: number;
  nextCheckAt: number;
  nextMessageAt: number | null;
}

/** People as they are notified; a transaction of Kysely will do for a database. */
@Injectable()
export class NotificationPeopleRepository {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  /** Adds people who are new to the site: everything notifies them. Due dates are looked at from now on. */
  async addMissing(now: number): Promise<void> {
    await sql`
      insert into notification_people (person_id, kinds, checked_through, next_check_at)
      select id, ${[...KINDS]}::text[], ${instant(now)}, ${instant(nextCheck(DEFAULT_TIMES, now))}
        from (select id from credentials union all select id from users) p
       where not exists (select from notification_people n where n.person_id = p.id)
      on conflict do nothing`.execute(this.db);
  }

  find(personId: string): Promise<PersonRow | undefined> {
    return this.rows().where('person_id', '=', personId).executeTakeFirst();
  }

  /** As `find`. No other session changes it before the transaction ends. */
  lock(personId: string): Promise<PersonRow | undefined> {
    return this.rows().where('person_id', '=', personId).forUpdate().executeTakeFirst();
  }

  findAll(personIds: readonly string[]): Promise<PersonRow[]> {
    if (personIds.length === 0) return Promise.resolve([]);
    return this.rows()
      .where('person_id', 'in', [...personIds])
      .execute();
  }

  async followersOf(teams: readonly string[]): Promise<string[]> {
    if (teams.length === 0) return [];
    const rows = await this.db
      .selectFrom('notification_people')
      .select('person_id')
      .where(sql<SqlBool>`teams <> '{}' and teams && ${[...teams]}::text[]`)
      .execute();
    return rows.map(({ person_id }) => person_id);
  }

  /** People whom a kind notifies, by id after an id; null: from the first. */
  notifiedBy(kind: NotificationKind, after: string | null, limit: number): Promise<PersonRow[]> {
    return this.rows()
      .where(sql<SqlBool>`${kind}::text = any(kinds)`)
      .$if(after !== null, (query) => query.where('person_id', '>', after!))
      .orderBy('person_id')
      .limit(limit)
      .execute();
  }

  async change(personId: string, columns: Updateable<Schema['notification_people']>): Promise<void> {
    await this.db.updateTable('notification_people').set(columns).where('person_id', '=', personId).execute();
  }

  /** A message is due at an instant at the latest. */
  async wakeAt(personId: string, at: number): Promise<void> {
    await this.db
      .updateTable('notification_people')
      .set({ next_message_at: sql`least(next_message_at, ${instant(at)})` })
      .where('person_id', '=', personId)
      .execute();
  }

  /** Somebody whose due dates have not been looked at today. @param except ids of people to leave out */
  dueForCheck(now: number, except: readonly string[]): Promise<PersonRow | undefined> {
    return this.rows()
      .where('next_check_at', '<=', instant(now))
      .where(sql<SqlBool>`person_id <> all(${[...except]}::uuid[])`)
      .orderBy('next_check_at')
      .limit(1)
      .executeTakeFirst();
  }

  /** Returns false if another process has looked in the meantime, or the person has chosen other preferences. */
  async setChecked({ personId, nextCheckAt }: PersonRow, through: number, nextAt: number): Promise<boolean> {
    const { numUpdatedRows } = await this.db
      .updateTable('notification_people')
      .set({ checked_through: new Date(through), next_check_at: new Date(nextAt) })
      .where('person_id', '=', personId)
      .where('next_check_at', '=', instant(nextCheckAt))
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  /**
   * Those whose messages are due, and that no other session has locked. What a look at due dates finds at the same time is
   * in the message: it waits for the look, but not for long.
   */
  lockDue(now: number, limit: number): Promise<PersonRow[]> {
    return this.rows()
      .where('next_message_at', '<=', instant(now))
      .where((where) =>
        where.or([
          where('next_check_at', '>', instant(now)),
          where('next_message_at', '<=', instant(now - LOOK_AWAITED_MS)),
        ]),
      )
      .orderBy('next_message_at')
      .limit(limit)
      .forUpdate()
      .skipLocked()
      .execute();
  }

  private rows() {
    return this.db
      .selectFrom('notification_people')
      .select(['person_id as personId', 'kinds', 'teams', 'channel', 'content', 'schedule', 'weekday'])
      .select(['time_zone as timeZone', 'daily_at as dailyAt', 'checked_through as checkedThrough'])
      .select(['next_check_at as nextCheckAt', 'next_message_at as nextMessageAt'])
      .select(
        sql<SendingTimes['quiet']>`case when quiet_from is not null
          then json_build_object('from', quiet_from, 'to', quiet_to) end`.as('quiet'),
      );
  }
}
