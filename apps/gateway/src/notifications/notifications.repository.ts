import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { DATABASE, instant, type Schema } from '#libs/database';
import { isVisibleAsset, type RowLimits, seesAllRows } from '#libs/tables';
import { isOlder } from '../paging/is-older.ts';
import {
  FINDINGS_LISTED_MAX,
  type NewNotification,
  type NewSubjectNotification,
  type NotificationKind,
  type NotificationRow,
  type NotifiedFinding,
} from './notification.ts';
import { type NotificationReader, showsSubject } from './subjects.repository.ts';

/** Of one person. */
const KEPT_MAX = 1_000;
/** A statement has 65,535 parameters at most. */
const ADDED_AT_ONCE = 1_000;
const PRUNED_AT_ONCE = 5_000;

/** Notifications of people; a transaction of Kysely will do for a database. */
@Injectable()
export class NotificationsRepository {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  /**
   * What has the key of one that is there adds its findings to it, which is unread again. Beyond the limit of a person, the
   * oldest are removed.
   * @param toSend people who want messages
   */
  async add(notifications: readonly NewNotification[], toSend: ReadonlySet<string>): Promise<void> {
    if (notifications.length === 0) return;
    for (let from = 0; from < notifications.length; from += ADDED_AT_ONCE) {
      await this.addSome(notifications.slice(from, from + ADDED_AT_ONCE), toSend);
    }
    await this.removeOldest([...new Set(notifications.map(({ personId }) => personId))]);
  }

  /**
   * The same notification for each of these people. Who has one with its key keeps that as it is.
   * @param people with whether they want messages
   * @returns ids of those who have it now and did not before
   */
  async addForEach(
    { key, kind, at, subjectId }: NewSubjectNotification,
    people: readonly { personId: string; isToSend: boolean }[],
  ): Promise<Set<string>> {
    if (people.length === 0) return new Set();
    const added = await this.db
      .insertInto('notifications')
      .values(
        people.map(({ personId, isToSend }) => ({
          ...{ id: randomUUID(), key, kind, person_id: personId, subject_id: subjectId, at: new Date(at) },
          ...{ findings: 0, finding_ids: [], is_to_send: isToSend },
        })),
      )
      .onConflict((conflict) => conflict.columns(['person_id', 'key']).doNothing())
      .returning('person_id')
      .execute();
    const ids = added.map(({ person_id }) => person_id);
    await this.removeOldest(ids);
    return new Set(ids);
  }

  /** Newest first. @param after time and id of the last one before them */
  async list(
    reader: NotificationReader,
    { isUnread, after, limit }: { isUnread: boolean; after: [number, string] | null; limit: number },
  ): Promise<NotificationRow[]> {
    return this.rows(reader)
      .$if(isUnread, (query) => query.where('read_at', 'is', null))
      .$if(after !== null, (query) => query.where(isOlder(after!, 'at')))
      .orderBy('at', 'desc')
      .orderBy('id')
      .limit(limit)
      .execute();
  }

  find(reader: NotificationReader, id: string): Promise<NotificationRow | undefined> {
    return this.rows(reader).where('id', '=', id).executeTakeFirst();
  }

  /** Unread ones of a message, newest first, each with how many there are without the limit. */
  ofMessage(
    reader: NotificationReader,
    messageId: string,
    limit: number,
  ): Promise<(NotificationRow & { unread: number })[]> {
    return this.rows(reader)
      .select(sql<number>`count(*) over ()::int`.as('unread'))
      .where('message_id', '=', messageId)
      .where('read_at', 'is', null)
      .orderBy('at', 'desc')
      .orderBy('id')
      .limit(limit)
      .execute();
  }

  /** How many are unread, up to a limit. */
  async countUnread(reader: NotificationReader, limit: number): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from (${this.rows(reader).where('read_at', 'is', null).limit(limit)}) unread`.execute(
      this.db,
    );
    return rows[0]!.count;
  }

  /** @param readAt null: unread @param id omitted: all @param until only those up to an instant */
  async setRead(
    personId: string,
    readAt: number | null,
    { id, until }: { id?: string; until?: number | undefined },
  ): Promise<void> {
    await this.db
      .updateTable('notifications')
      .set({ read_at: readAt === null ? null : new Date(readAt) })
      .where('person_id', '=', personId)
      .where('read_at', readAt === null ? 'is not' : 'is', null)
      .$if(id !== undefined, (query) => query.where('id', '=', id!))
      .$if(until !== undefined, (query) => query.where('at', '<=', instant(until!)))
      .execute();
  }

  /** Those that wait are not sent any more. */
  async doNotSend(personId: string): Promise<void> {
    await this.db
      .updateTable('notifications')
      .set({ is_to_send: false })
      .where('person_id', '=', personId)
      .where('is_to_send', '=', true)
      .execute();
  }

  /** Unread ones of these messages wait again. @returns how many */
  async putBack(messageIds: readonly string[]): Promise<number> {
    if (messageIds.length === 0) return 0;
    const { numUpdatedRows } = await this.db
      .updateTable('notifications')
      .set({ message_id: null, is_to_send: true })
      .where('message_id', 'in', [...messageIds])
      .where('read_at', 'is', null)
      .executeTakeFirst();
    return Number(numUpdatedRows);
  }

  /** All that wait belong to a message from now on. */
  async assign(personId: string, messageId: string): Promise<void> {
    await this.db
      .updateTable('notifications')
      .set({ message_id: messageId, is_to_send: false })
      .where('person_id', '=', personId)
      .where('is_to_send', '=', true)
      .execute();
  }

  async waits(personId: string): Promise<boolean> {
    const row = await this.db
      .selectFrom('notifications')
      .select('id')
      .where('person_id', '=', personId)
      .where('is_to_send', '=', true)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Findings by id, as they are now; hidden and unknown ones are missing. */
  async findingsOf(ids: readonly string[], rows: RowLimits): Promise<Map<string, NotifiedFinding>> {
    if (ids.length === 0) return new Map();
    const conditions = [sql<SqlBool>`f.id = any(${[...ids]}::uuid[])`, ...isVisibleAsset(rows, 'a')];
    const { rows: found } = await sql<NotifiedFinding>`
      select f.id, f.name, a.name as "assetName" from findings f join assets a using (partition, asset_no)
       where ${sql.join(conditions, sql` and `)}`.execute(this.db);
    return new Map(found.map((finding) => [finding.id, finding]));
  }

  /** Removes those of before an instant, some thousand of them; returns how many. */
  async prune(before: number): Promise<number> {
    const { numAffectedRows = 0n } = await sql`
      delete from notifications where id in (
        select id from notifications where at < ${instant(before)} limit ${PRUNED_AT_ONCE})`.execute(this.db);
    return Number(numAffectedRows);
  }

  private async addSome(
    notifications: readonly NewNotification[],
    toSend: ReadonlySet<string>,
  ): Promise<void> {
    await this.db
      .insertInto('notifications')
      .values(
        notifications.map(({ personId, key, kind, at, by, findings, findingIds }) => ({
          ...{ id: randomUUID(), key, kind, findings, person_id: personId, by_user: by },
          at: new Date(at),
          finding_ids: findingIds,
          is_to_send: toSend.has(personId),
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(['person_id', 'key']).doUpdateSet({
          at: sql`greatest(notifications.at, excluded.at)`,
          findings: sql`notifications.findings + excluded.findings`,
          finding_ids: sql`(notifications.finding_ids || excluded.finding_ids)[1:${sql.lit(FINDINGS_LISTED_MAX)}]`,
          read_at: null,
          is_to_send: sql`excluded.is_to_send`,
          message_id: null,
        }),
      )
      .execute();
  }

  /** Beyond the limit of a person. */
  private async removeOldest(people: readonly string[]): Promise<void> {
    await sql`
      delete from notifications where id in (
        select old.id from unnest(${[...people]}::uuid[]) p (person_id)
          cross join lateral (
            select n.id from notifications n where n.person_id = p.person_id
             order by n.at desc, n.id offset ${KEPT_MAX}) old)`.execute(this.db);
  }

  /** A person sees those about findings of which it sees one, and those about a subject that it sees. */
  private rows(reader: NotificationReader) {
    const { personId, scopes, rows } = reader;
    const ofFindings = [
      ...(scopes.has('findings:read') ? [] : [sql<SqlBool>`false`]),
      ...(seesAllRows(rows) ? [] : [showsOne(rows)]),
    ];
    return this.db
      .selectFrom('notifications')
      .select(['id', 'at', 'findings', 'by_user as by', 'finding_ids as findingIds', 'read_at as readAt'])
      .select('subject_id as subjectId')
      .select(sql<NotificationKind>`kind`.as('kind'))
      .where('person_id', '=', personId)
      .where(
        sql<SqlBool>`case when subject_id is null
          then ${sql.join([sql`true`, ...ofFindings], sql` and `)} else ${showsSubject(reader)} end`,
      );
  }
}

const showsOne = (rows: RowLimits): RawBuilder<SqlBool> => sql<SqlBool>`exists (
  select from findings f join assets a using (partition, asset_no)
   where f.id = any(notifications.finding_ids) and ${sql.join(isVisibleAsset(rows, 'a'), sql` and `)})`;
