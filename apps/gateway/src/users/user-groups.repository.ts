import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { DATABASE, type Schema } from '#libs/database';

export interface GivenGroup {
  displayName: string;
  externalId: string | null;
  /** Ids of users of the provider. */
  members: string[];
}

/** Times are epoch ms. */
export interface GroupRow extends GivenGroup {
  id: string;
  createdAt: number;
  changedAt: number;
}

/** Which groups of a provider: each condition that is given. */
export interface GroupFilter {
  id?: string;
  displayName?: string;
  externalId?: string;
  /** Id of a member. */
  member?: string;
}

/** Of a page, members of all groups; a single larger group is a page. */
const PAGE_MEMBERS_MAX = 20_000;

/** Groups that a provider provisions; a transaction of Kysely will do for a database. */
@Injectable()
export class UserGroupsRepository {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  /** In the order of their creation, fewer than the limit if they have many members; and how many there are. */
  async list(
    provider: string,
    { id, displayName, externalId, member }: GroupFilter,
    page: { offset: number; limit: number },
  ): Promise<{ rows: GroupRow[]; total: number }> {
    const conditions = [
      sql<boolean>`provider = ${provider}`,
      ...(id === undefined ? [] : [sql<boolean>`id::text = lower(${id})`]),
      ...(displayName === undefined ? [] : [sql<boolean>`lower(display_name) = lower(${displayName})`]),
      ...(externalId === undefined ? [] : [sql<boolean>`external_id = ${externalId}`]),
      ...(member === undefined ? [] : [sql<boolean>`lower(${member}) = any (members::text[])`]),
    ];
    const isMatch = sql<boolean>`${sql.join(conditions, sql` and `)}`;
    const { total } = await this.db
      .selectFrom('user_groups')
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .where(isMatch)
      .executeTakeFirstOrThrow();
    const onPage = sql<string>`
      (select id from (
        select id, row_number() over rows_before as place, sum(cardinality(members)) over rows_before as members
        from (
          select id, created_at, members from user_groups where ${isMatch}
          order by created_at, id offset ${page.offset} limit ${page.limit}
        ) as listed
        window rows_before as (order by created_at, id)
      ) as counted
      where place = 1 or members <= ${PAGE_MEMBERS_MAX})`;
    const rows = await this.rows().where('id', 'in', onPage).orderBy('created_at').orderBy('id').execute();
    return { rows, total };
  }

  async add(provider: string, group: GivenGroup, now: number): Promise<string> {
    const id = randomUUID();
    const at = new Date(now);
    await this.db
      .insertInto('user_groups')
      .values({ id, provider, ...columnsOf(group), created_at: at, changed_at: at })
      .execute();
    return id;
  }

  async change(id: string, group: GivenGroup, now: number): Promise<void> {
    await this.db
      .updateTable('user_groups')
      .set({ ...columnsOf(group), changed_at: new Date(now) })
      .where('id', '=', id)
      .execute();
  }

  async delete(id: string): Promise<void> {
    await this.db.deleteFrom('user_groups').where('id', '=', id).execute();
  }

  /** The groups of each user, by user id. */
  async ofUsers(userIds: readonly string[]): Promise<Map<string, { id: string; displayName: string }[]>> {
    const { rows } = await sql<{ userId: string; id: string; displayName: string }>`
      select u.id as "userId", g.id, g.display_name as "displayName"
        from user_groups g cross join unnest(g.members) member (id)
        join users u on u.id = member.id and u.provider = g.provider
       where u.id = any (${[...userIds]}::uuid[])
       order by g.display_name, g.id`.execute(this.db);
    const groups = new Map<string, { id: string; displayName: string }[]>();
    for (const { userId, ...group } of rows) groups.set(userId, [...(groups.get(userId) ?? []), group]);
    return groups;
  }

  /** Those of the ids that are users of the provider. */
  async membersAmong(provider: string, ids: readonly string[]): Promise<string[]> {
    const { rows } = await sql<{ id: string }>`
      select id from users where provider = ${provider} and id::text = any (${[...ids]}::text[]) order by id`.execute(
      this.db,
    );
    return rows.map(({ id }) => id);
  }

  private rows() {
    return (
      this.db
        .selectFrom('user_groups')
        .select(['id', 'display_name as displayName', 'external_id as externalId'])
        // Without users that are gone.
        .select(
          sql<string[]>`array(
          select u.id::text from users u
           where u.provider = user_groups.provider and u.id = any (user_groups.members) order by u.id)`.as(
            'members',
          ),
        )
        .select(['created_at as createdAt', 'changed_at as changedAt'])
    );
  }
}

const columnsOf = ({ displayName, externalId, members }: GivenGroup) => ({
  display_name: displayName,
  external_id: externalId,
  members,
});
