import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { DATABASE, instant, type Schema } from '#libs/database';
import type { Act } from '#libs/domain';
import { belongedToVisibleAfter, type RowLimits, seesAllRows } from '#libs/tables';

/** A row of the audit trail. */
export interface ActRow {
  partition: number;
  logOffset: number;
  at: number;
  user: string | null;
  action: string;
  target: string;
  detail: unknown;
  refused: Act['refused'];
  requestId: string | null;
}

/** Filters of the audit trail; times are epoch ms, `to` is exclusive. */
export interface ActFilter {
  /** As rows may have the name: in the clear, or sealed. */
  users?: string[] | undefined;
  action?: string | undefined;
  target?: string | undefined;
  requestId?: string | undefined;
  from?: number | undefined;
  to?: number | undefined;
}

@Injectable()
export class AuditRepository {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  /** Newest first. Limited callers see acts on findings and assets that were visible after the act. */
  list(
    filter: ActFilter,
    visible: RowLimits,
    before: [number, number, number] | null,
    limit: number,
  ): Promise<ActRow[]> {
    const { users, action, target, requestId, from, to } = filter;
    return this.db
      .selectFrom('acts')
      .select([
        'partition',
        'log_offset as logOffset',
        'at',
        'by_user as user',
        'action',
        'target',
        'detail',
        'request_id as requestId',
      ])
      .select(sql<Act['refused']>`refused`.as('refused'))
      .$if(!seesAllRows(visible), (query) => query.where(actedOnVisible(visible)))
      .$if(users !== undefined, (query) => query.where('by_user', 'in', users!))
      .$if(action !== undefined, (query) => query.where('action', '=', action!))
      .$if(target !== undefined, (query) => query.where('target', '=', target!))
      .$if(requestId !== undefined, (query) => query.where('request_id', '=', requestId!))
      .$if(from !== undefined, (query) => query.where('at', '>=', instant(from!)))
      .$if(to !== undefined, (query) => query.where('at', '<', instant(to!)))
      .$if(before !== null, (query) =>
        query.where(
          sql<SqlBool>`(at, partition, log_offset) < (${instant(before![0])}, ${before![1]}::bigint, ${before![2]}::bigint)`,
        ),
      )
      .orderBy('at', 'desc')
      .orderBy('partition', 'desc')
      .orderBy('log_offset', 'desc')
      .limit(limit)
      .execute();
  }
}

/** The casts are in the branch of their actions: other targets are no ids. */
const actedOnVisible = (visible: RowLimits): RawBuilder<SqlBool> => sql`exists (
  select from (
    select asset_no, acts.partition from findings
    where id = case when acts.action like 'finding.%' then acts.target::uuid end
    union all
    select asset_no, acts.partition from assets
    where id = case when acts.action = 'asset.deleted' then acts.target::uuid end
  ) acted
  where ${sql.join(belongedToVisibleAfter(visible, 'acted', sql.ref('acts.log_offset')), sql` and `)})`;
