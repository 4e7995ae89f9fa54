import { createHash, randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import type { OidcProvider } from '#libs/config';
import { DATABASE, lockByName, type Schema } from '#libs/database';
import type { RowLimits } from '#libs/tables';
import { isWithinRows } from '../auth/granted-rows.ts';

const DIGITS = 8;

/** What the groups of a user give: roles and scopes, and the rows that they see. */
export interface Rights extends RowLimits {
  grants: string[];
}

/** Groups that a claim has named. */
interface ClaimedGroups {
  claim: string;
  names: string[];
}

/** Rights, and the claimed groups that give them; null: others do, or none. */
export interface GivenRights extends Rights {
  claimed: ClaimedGroups | null;
}

/** A user at a provider. */
export interface GivenUser extends GivenRights {
  provider: string;
  subject: string;
  /** With the id of the provider before it. */
  name: string;
  externalId: string | null;
}

/** What a provider provisions of a user. */
export interface Profile {
  /** Without the id of the provider. */
  userName: string;
  externalId: string | null;
  displayName: string | null;
  isActive: boolean;
}

/** Times are epoch ms. */
export interface UserRow extends Rights, Profile {
  id: string;
  provider: string;
  /** Of the log; it never changes. */
  name: string;
  isProvisioned: boolean;
  createdAt: number;
  /** Null: never. */
  lastSignInAt: number | null;
  changedAt: number;
  sessions: number;
}

/** Without the id of the provider. */
const USER_NAME = sql<string>`coalesce(user_name, substr(name, length(provider) + 2))`;

/** Which users of a provider: each condition that is given. */
export interface UserFilter {
  id?: string;
  userName?: string;
  externalId?: string;
  displayName?: string;
  isActive?: boolean;
  isProvisioned?: true;
}

/** Users of identity providers; a transaction of Kysely will do for a database. */
@Injectable()
export class UsersRepository {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  async count(): Promise<number> {
    const { count } = await this.db
      .selectFrom('users')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return count;
  }

  /** Others who change users or groups of the provider wait until the end of the transaction. */
  async lock(provider: string): Promise<void> {
    await lockByName(this.db, `users of ${provider}`);
  }

  /**
   * The user of a subject; otherwise one who was provisioned and has not signed in. `name` is that of the log. Not active
   * either if the provider has disabled another user with this external id.
   */
  async ofSignIn({
    provider,
    subject,
    externalId,
  }: Pick<GivenUser, 'provider' | 'subject' | 'externalId'>): Promise<
    Pick<UserRow, 'id' | 'name' | 'isActive'> | undefined
  > {
    const { rows } = await sql<Pick<UserRow, 'id' | 'name' | 'isActive'>>`
      select id, name, is_active and not exists (
               select from users p where p.provider = users.provider and p.external_id = ${externalId}
                  and p.user_name is not null and not p.is_active) as "isActive"
        from users
       where provider = ${provider}
         and (subject = ${subject} or (subject is null and external_id = ${externalId}))
       order by subject is null limit 1`.execute(this.db);
    return rows[0];
  }

  /** Who has signed in with an external id, and was not provisioned. */
  notProvisioned(provider: string, externalId: string | null): Promise<UserRow | undefined> {
    return this.rows()
      .where('provider', '=', provider)
      .where('user_name', 'is', null)
      .where(sql<boolean>`external_id = ${externalId}`)
      .executeTakeFirst();
  }

  /**
   * Adds the user, or sets the rights of one who exists. A name is never changed: the log contains it. The external id
   * follows the claim until the provider provisions the user, or another one with that external id.
   * @param id of a user who was provisioned; null: by the subject
   */
  async signIn(
    { provider, subject, name, externalId, ...rights }: GivenUser,
    id: string | null,
    now: number,
  ): Promise<string> {
    const at = new Date(now);
    const signedIn = { ...columnsOf(rights), last_sign_in_at: at };
    if (id !== null) {
      await this.db
        .updateTable('users')
        .set({
          ...signedIn,
          subject,
          external_id: sql`
            case when user_name is null and not exists (
                        select from users p where p.provider = users.provider and p.external_id = ${externalId}
                           and p.user_name is not null and p.id <> users.id)
                 then ${externalId} else coalesce(external_id, ${externalId}) end`,
        })
        .where('id', '=', id)
        .execute();
      return id;
    }
    const added = await this.db
      .insertInto('users')
      .values({
        id: randomUUID(),
        provider,
        subject,
        name: await this.freeName(name, subject),
        external_id: externalId,
        ...signedIn,
        created_at: at,
      })
      .onConflict((conflict) => conflict.columns(['provider', 'subject']).doUpdateSet(signedIn))
      .returning('id')
      .executeTakeFirstOrThrow();
    return added.id;
  }

  async setRights(id: string, rights: GivenRights): Promise<void> {
    await this.db.updateTable('users').set(columnsOf(rights)).where('id', '=', id).execute();
  }

  /** Users of a provider by id, with the groups that its claim named last; null: not known. */
  async withGroups(
    { id, groupsClaim }: Pick<OidcProvider, 'id' | 'groupsClaim'>,
    after: string | null,
    limit: number,
  ): Promise<(Rights & { id: string; claimedGroups: string[] | null })[]> {
    const rows = await this.db
      .selectFrom('users')
      .select(['id', 'grants', 'departments', 'locations', 'groups_claim', 'claimed_groups', 'given_rights'])
      .where('provider', '=', id)
      .$if(after !== null, (query) => query.where('id', '>', after!))
      .orderBy('id')
      .limit(limit)
      .execute();
    return rows.map(({ groups_claim, claimed_groups, given_rights, ...user }) => ({
      ...user,
      claimedGroups:
        groups_claim === groupsClaim && given_rights === rightsText(user) ? claimed_groups : null,
    }));
  }

  /** As `setRights`, with an act of the provisioned groups: a restore knows by the count which acts came later. */
  async changeRights(id: string, rights: Rights): Promise<void> {
    await this.db
      .updateTable('users')
      .set({ ...columnsOf({ ...rights, claimed: null }), rights_changes: sql`rights_changes + 1` })
      .where('id', '=', id)
      .execute();
  }

  /** A provisioned user, who has no rights until the first sign-in. */
  async add(provider: string, profile: Profile, now: number): Promise<string> {
    const id = randomUUID();
    await this.db
      .insertInto('users')
      .values({
        id,
        provider,
        subject: null,
        name: await this.freeName(`${provider}:${profile.userName}`, id),
        grants: [],
        departments: null,
        locations: null,
        ...profileColumns(profile),
        created_at: new Date(now),
        last_sign_in_at: null,
      })
      .execute();
    return id;
  }

  async change(id: string, profile: Profile, now: number): Promise<void> {
    await this.db
      .updateTable('users')
      .set({ ...profileColumns(profile), changed_at: new Date(now) })
      .where('id', '=', id)
      .execute();
  }

  async setActive(id: string, isActive: boolean, now: number): Promise<void> {
    await this.db
      .updateTable('users')
      .set({ is_active: isActive, changed_at: new Date(now) })
      .where('id', '=', id)
      .execute();
  }

  async delete(id: string): Promise<void> {
    await this.db.deleteFrom('users').where('id', '=', id).execute();
  }

  /** By name. */
  list(visible: RowLimits, after: string | null, limit: number): Promise<UserRow[]> {
    return this.rows()
      .where(isWithinRows(visible))
      .$if(after !== null, (query) => query.where(sql<boolean>`name collate "C" > ${after}`))
      .orderBy(sql`name collate "C"`)
      .limit(limit)
      .execute();
  }

  /** If the user sees no more rows than the visible ones. */
  find(id: string, visible: RowLimits): Promise<UserRow | undefined> {
    return this.rows().where('id', '=', id).where(isWithinRows(visible)).executeTakeFirst();
  }

  byIds(ids: readonly string[]): Promise<UserRow[]> {
    return this.rows()
      .where(sql<boolean>`id = any (${[...ids]}::uuid[])`)
      .execute();
  }

  /** Users of a provider, in the order of their creation, and how many there are. */
  async ofProvider(
    provider: string,
    filter: UserFilter,
    page: { offset: number; limit: number },
  ): Promise<{ rows: UserRow[]; total: number }> {
    const conditions = [
      sql<boolean>`provider = ${provider}`,
      ...(filter.id === undefined ? [] : [sql<boolean>`id::text = lower(${filter.id})`]),
      ...(filter.userName === undefined
        ? []
        : [sql<boolean>`lower(${USER_NAME}) = lower(${filter.userName})`]),
      ...(filter.externalId === undefined ? [] : [sql<boolean>`external_id = ${filter.externalId}`]),
      ...(filter.displayName === undefined
        ? []
        : [sql<boolean>`lower(display_name) = lower(${filter.displayName})`]),
      ...(filter.isProvisioned ? [sql<boolean>`user_name is not null`] : []),
      ...(filter.isActive === undefined ? [] : [sql<boolean>`is_active = ${filter.isActive}`]),
    ];
    const isMatch = sql<boolean>`${sql.join(conditions, sql` and `)}`;
    const { total } = await this.db
      .selectFrom('users')
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .where(isMatch)
      .executeTakeFirstOrThrow();
    const rows = await this.rows()
      .where(isMatch)
      .orderBy('created_at')
      .orderBy('id')
      .offset(page.offset)
      .limit(page.limit)
      .execute();
    return { rows, total };
  }

  private rows() {
    return this.db
      .selectFrom('users')
      .select(['id', 'provider', 'name', 'grants', 'departments', 'locations', 'is_active as isActive'])
      .select(['external_id as externalId', 'display_name as displayName', 'created_at as createdAt'])
      .select(['last_sign_in_at as lastSignInAt', USER_NAME.as('userName')])
      .select(sql<number>`coalesce(changed_at, created_at)`.as('changedAt'))
      .select(sql<boolean>`user_name is not null`.as('isProvisioned'))
      .select(sql<number>`(select count(*) from sessions s where s.user_id = users.id)`.as('sessions'));
  }

  /** Two people of a provider can have the same name, one after the other for example. */
  private async freeName(name: string, distinguishing: string): Promise<string> {
    const isTaken = await this.db
      .selectFrom('users')
      .select('id')
      .where('name', '=', name)
      .executeTakeFirst();
    if (!isTaken) return name;
    return `${name}#${createHash('sha256').update(distinguishing).digest('hex').slice(0, DIGITS)}`;
  }
}

/** Alike for the same rights. */
export const rightsText = ({ grants, departments, locations }: Rights): string =>
  JSON.stringify([grants, departments, locations]);

const columnsOf = ({ grants, departments, locations, claimed }: GivenRights) => ({
  grants,
  departments: departments && [...departments],
  locations: locations && [...locations],
  groups_claim: claimed?.claim ?? null,
  claimed_groups: claimed?.names ?? null,
  given_rights: rightsText({ grants, departments, locations }),
});

const profileColumns = ({ userName, externalId, displayName, isActive }: Profile) => ({
  user_name: userName,
  external_id: externalId,
  display_name: displayName,
  is_active: isActive,
});
