import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type SqlBool, sql } from 'kysely';
import { DATABASE, instant, type Schema } from '#libs/database';
import { removeOldRows } from '../old-rows.ts';

/** Equal events of a minute; times are epoch ms, and missing values are empty strings. */
export interface SecurityEventRow {
  id: string;
  minute: number;
  at: number;
  lastAt: number;
  count: number;
  kind: string;
  outcome: string;
  reason: string;
  user: string;
  token: string;
  address: string;
  requestId: string;
}

/** By time and id; `after` is those of the last row of the previous page (epoch ms). */
export interface SecurityEventOrder {
  isNewestFirst: boolean;
  after: [number, string] | null;
  limit: number;
}

/** Times are epoch ms, `to` is not in it. */
export interface SecurityEventFilter {
  kind?: string | undefined;
  outcome?: string | undefined;
  reason?: string | undefined;
  user?: string | undefined;
  address?: string | undefined;
  from?: number | undefined;
  to?: number | undefined;
}

const WRITTEN_MAX = 500;

@Injectable()
export class SecurityEventsRepository {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  /** Adds all rows or none. An existing row is increased by the count of its new row. */
  async add(rows: SecurityEventRow[]): Promise<void> {
    await this.db.transaction().execute(async (trx) => {
      for (let i = 0; i < rows.length; i += WRITTEN_MAX) {
        await trx
          .insertInto('security_events')
          .values(rows.slice(i, i + WRITTEN_MAX).map(valuesOf))
          .onConflict((conflict) =>
            conflict
              .columns(['minute', 'kind', 'outcome', 'reason', 'user_name', 'token', 'address'])
              .doUpdateSet({
                count: sql`security_events.count + excluded.count`,
                last_at: sql`greatest(security_events.last_at, excluded.last_at)`,
              }),
          )
          .execute();
      }
    });
  }

  list(
    filter: SecurityEventFilter,
    { isNewestFirst, after, limit }: SecurityEventOrder,
  ): Promise<SecurityEventRow[]> {
    const { kind, outcome, reason, user, address, from, to } = filter;
    const comparison = sql.raw(isNewestFirst ? '<' : '>');
    const direction = isNewestFirst ? 'desc' : 'asc';
    return this.db
      .selectFrom('security_events')
      .select(['id', 'minute', 'at', 'last_at as lastAt', 'count', 'kind', 'outcome', 'reason'])
      .select(['user_name as user', 'token', 'address', 'request_id as requestId'])
      .$if(kind !== undefined, (query) => query.where('kind', '=', kind!))
      .$if(outcome !== undefined, (query) => query.where('outcome', '=', outcome!))
      .$if(reason !== undefined, (query) => query.where('reason', '=', reason!))
      .$if(user !== undefined, (query) => query.where('user_name', '=', user!))
      .$if(address !== undefined, (query) => query.where('address', '=', address!))
      .$if(from !== undefined, (query) => query.where('at', '>=', instant(from!)))
      .$if(to !== undefined, (query) => query.where('at', '<', instant(to!)))
      .$if(after !== null, (query) =>
        query.where(sql<SqlBool>`(at, id) ${comparison} (${instant(after![0])}, ${after![1]}::uuid)`),
      )
      .orderBy('at', direction)
      .orderBy('id', direction)
      .limit(limit)
      .execute();
  }

  /** As `removeOldRows`. */
  removeOlderThan(days: number, now: number): Promise<boolean> {
    return removeOldRows(this.db, 'security_events', days, now);
  }
}

const valuesOf = ({ minute, at, lastAt, user, requestId, ...row }: SecurityEventRow) => ({
  ...row,
  minute: new Date(minute),
  at: new Date(at),
  last_at: new Date(lastAt),
  user_name: user,
  request_id: requestId,
});
