import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { DATABASE, instant, type Schema } from '#libs/database';
import type { Logout } from './oidc-client.ts';

/** In a round, which takes as long as its slowest check. */
const CLAIMED_MAX = 100;
/** A provider that does not answer leaves room for others. */
const CLAIMED_OF_PROVIDER_MAX = 40;

/** A session whose user is checked now. */
export interface DueSession {
  id: string;
  userId: string;
  user: string;
  provider: string;
  subject: string;
  /** Sealed. */
  refreshToken: string;
  /** Epoch milliseconds. */
  checkedAt: number;
}

/** Sessions of identity providers. */
@Injectable()
export class ProviderSessionsRepository {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  /** Sessions that are due, some at a time; until `again` no other process takes them. */
  async claimDue(now: number, again: number): Promise<DueSession[]> {
    const { rows } = await sql<DueSession>`
      with waiting as (
        select s.id, row_number() over (partition by u.provider order by s.check_at) as turn
          from sessions s left join users u on u.id = s.user_id
         where s.check_at <= ${instant(now)}),
      due as (
        update sessions set check_at = ${instant(again)}
         where id in (select id from sessions
                       where check_at <= ${instant(now)}
                         and id in (select id from waiting where turn <= ${CLAIMED_OF_PROVIDER_MAX})
                       order by check_at limit ${CLAIMED_MAX} for update skip locked)
        returning id, user_id, refresh_token, checked_at)
      select due.id, u.id as "userId", u.name as user, u.provider, u.subject,
             due.refresh_token as "refreshToken", due.checked_at as "checkedAt"
        from due join users u on u.id = due.user_id
       where due.refresh_token is not null`.execute(this.db);
    return rows;
  }

  /** When a session is due next, in epoch ms; null: none is. From the first entry of an index. */
  async nextCheckAt(): Promise<number | null> {
    const { rows } = await sql<{ at: number | null }>`select min(check_at) as at from sessions`.execute(
      this.db,
    );
    return rows[0]!.at;
  }

  /**
   * Sessions of a provider are due by a shorter time between checks, as if they had been checked so that they become due now
   * at the earliest: the provider has its time to answer from then on. What is due until `leased` may be in progress.
   */
  async checkSooner(provider: string, checkMs: number, now: number, leased: number): Promise<void> {
    const checkedAt = sql`greatest(checked_at, ${instant(now - checkMs)})`;
    const checkAt = sql`${checkedAt} + make_interval(secs => ${checkMs / 1_000})`;
    await sql`
      update sessions set checked_at = ${checkedAt}, check_at = ${checkAt}
       where user_id in (select id from users where provider = ${provider})
         and check_at > greatest(${checkAt}, ${instant(leased)})`.execute(this.db);
  }

  /**
   * Ends the sessions of providers that neither the settings of the deployment nor the table has, and the sessions that
   * began with other rights of a provider of the settings.
   */
  async endFormer(configured: readonly { id: string; digest: string }[]): Promise<void> {
    await sql`
      delete from sessions where id in (
        select s.id from sessions s
          join users u on u.id = s.user_id
          left join unnest(${configured.map(({ id }) => id)}::text[],
                           ${configured.map(({ digest }) => digest)}::text[]) c (id, digest) on c.id = u.provider
          left join identity_providers p on p.id = u.provider and p.removed_at is null
         where case when c.id is null then p.id is null else s.rights_digest <> c.digest end)`.execute(
      this.db,
    );
  }

  async confirm(id: string, refreshToken: string, now: number, checkAt: number): Promise<void> {
    await this.db
      .updateTable('sessions')
      .set({ refresh_token: refreshToken, checked_at: new Date(now), check_at: new Date(checkAt) })
      .where('id', '=', id)
      .execute();
  }

  /** Ids and users of the sessions that a logout ends. A logout of a user ends no session that began after it. */
  async named(
    provider: string,
    { sid, subject }: Logout,
    before: number,
  ): Promise<{ id: string; user: string }[]> {
    const { rows } = await sql<{ id: string; user: string }>`
      select s.id, u.name as user from sessions s join users u on u.id = s.user_id
       where u.provider = ${provider}
         and (${subject}::text is null or u.subject = ${subject})
         and (s.provider_session = ${sid}
              or (${subject}::text is not null and (${sid}::text is null or s.provider_session is null)
                  and s.created_at <= ${instant(before)}))`.execute(this.db);
    return rows;
  }
}
