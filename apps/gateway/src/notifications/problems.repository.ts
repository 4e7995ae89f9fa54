import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { DATABASE, type Schema } from '#libs/database';
import type { NotifiedProblem, Problem } from './problem.ts';
import {
  FAILED,
  INTEGRATIONS,
  IS_STOPPED_SCHEDULE,
  IS_STOPPED_WEBHOOK,
  LAST_FAILED_REPORT,
  lastSync,
} from './problem-sources.ts';

/** Present problems of syncs, webhooks and report schedules, and those notified; a transaction of Kysely will do for a database. */
@Injectable()
export class NotifiedProblemsRepository {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  /**
   * In one query. The cause of a failing sync is the last good one, so that everything that fails until the next good one is
   * one problem.
   */
  async present(): Promise<Problem[]> {
    const { rows } = await sql<Problem>`
      select 'syncFailed' as kind, i.id as "subjectId", coalesce(good.id::text, 'none') as cause, last.finished_at as at
        from (${INTEGRATIONS}) i
        cross join lateral (${lastSync(sql.ref('i.id'))}) last
        left join lateral (select id from syncs where integration_id = i.id and stage = 'COMPLETED'
                            order by requested_at desc, id limit 1) good on true
       where last.status = ${FAILED}
      union all
      select 'webhookStopped', id, paused ->> 'at', to_timestamp((paused ->> 'at')::float8 / 1000)
        from webhooks where ${IS_STOPPED_WEBHOOK}
      union all
      select 'scheduleStopped', id, stopped ->> 'at', to_timestamp((stopped ->> 'at')::float8 / 1000)
        from report_schedules where ${IS_STOPPED_SCHEDULE}
      union all
      select 'reportFailed', s.id, (extract(epoch from failed.at) * 1000)::bigint::text, failed.finished_at
        from report_schedules s cross join lateral (${LAST_FAILED_REPORT}) failed
       where s.enabled`.execute(this.db);
    return rows;
  }

  notified(): Promise<NotifiedProblem[]> {
    return this.db
      .selectFrom('notified_problems')
      .select(['kind', 'subject_id as subjectId', 'cause', 'notified_at as notifiedAt'])
      .execute();
  }

  /** Whether the last sync of an integration that is there was good. */
  async works(integrationId: string): Promise<boolean> {
    const { rows } = await sql<{ works: boolean }>`
      select exists (select from (${INTEGRATIONS}) i cross join lateral (${lastSync(sql.ref('i.id'))}) last
                      where i.id = ${integrationId}::uuid and last.status <> ${FAILED}) as works`.execute(
      this.db,
    );
    return rows[0]!.works;
  }

  /** False while another gateway compares. Until the end of the transaction. */
  async lock(): Promise<boolean> {
    const { rows } = await sql<{ locked: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended('notified problems', 0)) as locked`.execute(this.db);
    return rows[0]!.locked;
  }

  /** @param notifiedAt epoch ms */
  async begin({ kind, subjectId, cause }: Problem, notifiedAt: number): Promise<void> {
    const columns = { cause, notified_at: new Date(notifiedAt) };
    await this.db
      .insertInto('notified_problems')
      .values({ kind, subject_id: subjectId, ...columns })
      .onConflict((conflict) => conflict.columns(['kind', 'subject_id']).doUpdateSet(columns))
      .execute();
  }

  async end({ kind, subjectId }: Pick<Problem, 'kind' | 'subjectId'>): Promise<void> {
    await this.db
      .deleteFrom('notified_problems')
      .where('kind', '=', kind)
      .where('subject_id', '=', subjectId)
      .execute();
  }
}
