import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { DATABASE, type Schema } from '#libs/database';
import { removeOldRows } from '../old-rows.ts';

/** Whence a request with acts came. User name and address are as the table has them: in the clear, or sealed. */
export interface ActOrigin {
  requestId: string;
  user: string;
  address: string;
  token: string;
  /** Epoch ms. */
  at: number;
}

/** Of one request id and user: a client can send one id for ever. */
const LISTED_MAX = 10;

@Injectable()
export class ActOriginsRepository {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  /** Adds what is new. */
  async add(origins: readonly ActOrigin[]): Promise<void> {
    await sql`
      insert into act_origins (request_id, by_user, address, token, at)
      select * from unnest(
        ${origins.map(({ requestId }) => requestId)}::text[],
        ${origins.map(({ user }) => user)}::text[],
        ${origins.map(({ address }) => address)}::text[],
        ${origins.map(({ token }) => token)}::text[],
        ${origins.map(({ at }) => new Date(at))}::timestamptz[])
      on conflict do nothing`.execute(this.db);
  }

  /** The first ones of each request id and user, oldest first. */
  async of(requests: readonly Pick<ActOrigin, 'requestId' | 'user'>[]): Promise<ActOrigin[]> {
    const { rows } = await sql<ActOrigin>`
      select o.request_id as "requestId", o.by_user as user, o.address, o.token, o.at
        from (select distinct * from unnest(
          ${requests.map(({ requestId }) => requestId)}::text[],
          ${requests.map(({ user }) => user)}::text[]) as t (request_id, by_user)) asked
       cross join lateral (
         select * from act_origins
          where request_id = asked.request_id and by_user = asked.by_user
          order by at, address, token limit ${LISTED_MAX}) o
       order by o.at, o.address, o.token`.execute(this.db);
    return rows;
  }

  /** As `removeOldRows`. */
  removeOlderThan(days: number, now: number): Promise<boolean> {
    return removeOldRows(this.db, 'act_origins', days, now);
  }
}
