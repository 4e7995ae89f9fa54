import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { DATABASE, instant, type Schema } from '#libs/database';
import type { RowLimits } from '#libs/tables';
import { isWithinRows } from '../auth/granted-rows.ts';

/** A user of an identity provider, or a credential with the generation of its password. */
export type SessionOwner =
  | { userId: string; credentialId: null; generation: null }
  | { userId: null; credentialId: string; generation: number };

/** What a provider said about its session; null: a session of a credential. */
export interface ProviderSession {
  /** The claim `sid`. */
  sid: string | null;
  /** Sealed. */
  refreshToken: string | null;
  /** Epoch milliseconds; null: never. */
  checkAt: number | null;
  /** Of the settings that gave the rights. */
  rightsDigest: string;
}

/** Times are epoch ms; limits are those of its user. */
export interface SessionRow extends RowLimits {
  id: string;
  user: string;
  /** Id of the provider; null: a credential. */
  provider: string | null;
  ownerId: string;
  createdAt: number;
  expiresAt: number;
  endsAt: number;
  address: string;
  userAgent: string;
}

export interface NewSession {
  id: string;
  hash: Buffer;
  owner: SessionOwner;
  createdAt: number;
  expiresAt: number;
  endsAt: number;
  address: string;
  userAgent: string;
  provider: ProviderSession | null;
}

/** Sessions of people; a transaction of Kysely will do for a database. */
@Injectable()
export class SessionsRepository {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  async count(): Promise<number> {
    const { count } = await this.db
      .selectFrom('sessions')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return count;
  }

  async add({ id, hash, owner, provider, ...row }: NewSession): Promise<void> {
    await this.db
      .insertInto('sessions')
      .values({
        id,
        secret_hash: hash,
        user_id: owner.userId,
        credential_id: owner.credentialId,
        generation: owner.generation,
        created_at: new Date(row.createdAt),
        expires_at: new Date(row.expiresAt),
        ends_at: new Date(row.endsAt),
        address: row.address,
        user_agent: row.userAgent,
        provider_session: provider?.sid ?? null,
        refresh_token: provider?.refreshToken ?? null,
        checked_at: provider ? new Date(row.createdAt) : null,
        check_at: provider?.checkAt == null ? null : new Date(provider.checkAt),
        rights_digest: provider?.rightsDigest ?? null,
      })
      .execute();
  }

  /** Ends the oldest sessions of an owner, so that `kept` remain. */
  async endOldest(ownerId: string, kept: number): Promise<void> {
    await sql`
      delete from sessions where id in (
        select id from sessions where ${ownerId}::uuid in (user_id, credential_id)
         order by created_at desc, id offset ${kept})`.execute(this.db);
  }

  /** Newest first, of users who see no more rows than the visible ones. @param ownerId null: of all people */
  list(
    ownerId: string | null,
    visible: RowLimits,
    before: [number, string] | null,
    limit: number,
  ): Promise<SessionRow[]> {
    return this.rows(visible)
      .$if(ownerId !== null, (query) => query.where('ownerId', '=', ownerId!))
      .$if(before !== null, (query) =>
        query.where(sql<boolean>`("createdAt", id) < (${instant(before![0])}, ${before![1]}::uuid)`),
      )
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .execute();
  }

  /** If its user sees no more rows than the visible ones. */
  find(id: string, visible: RowLimits): Promise<SessionRow | undefined> {
    return this.rows(visible).where('id', '=', id).executeTakeFirst();
  }

  /** Extends a session, though never beyond its end. */
  async extend(id: string, until: number): Promise<void> {
    await this.db
      .updateTable('sessions')
      .set({ expires_at: sql`least(ends_at, greatest(expires_at, ${instant(until)}))` })
      .where('id', '=', id)
      .execute();
  }

  /** Returns how many sessions have ended. */
  async end(ids: string[]): Promise<number> {
    if (ids.length === 0) return 0;
    const { numDeletedRows } = await this.db
      .deleteFrom('sessions')
      .where('id', 'in', ids)
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  }

  /** Ends all sessions of an owner, except one. */
  async endOf(ownerId: string, exceptId: string | null): Promise<number> {
    const { numDeletedRows } = await this.db
      .deleteFrom('sessions')
      .where(sql<boolean>`${ownerId}::uuid in (user_id, credential_id)`)
      .$if(exceptId !== null, (query) => query.where('id', '!=', exceptId!))
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  }

  /** Ends the sessions of all users of an identity provider. */
  async endOfProvider(provider: string): Promise<void> {
    await this.db
      .deleteFrom('sessions')
      .where('user_id', 'in', ({ selectFrom }) =>
        selectFrom('users').select('id').where('provider', '=', provider),
      )
      .execute();
  }

  /** Removes sessions that have expired by the earlier of two clocks, and sessions without an owner. */
  async removeOld(now: number): Promise<void> {
    await sql`
      delete from sessions s
       where expires_at < least(now(), ${instant(now)})
          or not exists (select from users u where u.id = s.user_id
                         union all
                         select from credentials c where c.id = s.credential_id and c.generation = s.generation)`.execute(
      this.db,
    );
  }

  private rows(visible: RowLimits) {
    const all = this.db
      .selectFrom('sessions as s')
      .leftJoin('users as u', 'u.id', 's.user_id')
      .leftJoin('credentials as c', (join) =>
        join.onRef('c.id', '=', 's.credential_id').onRef('c.generation', '=', 's.generation'),
      )
      .where(sql<boolean>`(u.id is not null or c.id is not null)`)
      .select(['s.id', 'u.provider', 's.created_at as createdAt', 's.expires_at as expiresAt'])
      .select(['s.ends_at as endsAt', 's.address', 's.user_agent as userAgent'])
      .select(sql<string>`coalesce(u.id, c.id)`.as('ownerId'))
      .select(sql<string>`coalesce(u.name, c.username)`.as('user'))
      .select(sql<string[] | null>`coalesce(u.departments, c.departments)`.as('departments'))
      .select(sql<string[] | null>`coalesce(u.locations, c.locations)`.as('locations'));
    return this.db.selectFrom(all.as('s')).selectAll().where(isWithinRows(visible));
  }
}
