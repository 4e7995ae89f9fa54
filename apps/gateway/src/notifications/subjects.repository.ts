import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { DATABASE, type Schema } from '#libs/database';
import { type RowLimits, seesAllRows } from '#libs/tables';
import type { Pause } from '#libs/webhooks';
import { isWithinRows } from '../auth/granted-rows.ts';
import type { Scope } from '../auth/scopes.ts';
import { isScheduleSeenBy } from '../report-schedules/report-schedules.repository.ts';
import { pauseMessageFor } from '../webhooks/webhook-view.ts';
import {
  isSubjectKind,
  type NotificationRow,
  type NotifiedSubject,
  type SubjectKind,
  type SubjectType,
  typeOfSubject,
} from './notification.ts';
import {
  FAILED,
  INTEGRATIONS,
  IS_STOPPED_SCHEDULE,
  IS_STOPPED_WEBHOOK,
  LAST_FAILED_REPORT,
  lastSync,
} from './problem-sources.ts';

/** Who reads notifications, and what it may see. */
export interface NotificationReader {
  personId: string;
  scopes: ReadonlySet<Scope>;
  rows: RowLimits;
}

/** Who can mend it. */
const SCOPES: Record<SubjectType, Scope> = {
  integration: 'integrations:write',
  webhook: 'webhooks:write',
  reportSchedule: 'webhooks:write',
};

export const scopeOfSubject = (kind: SubjectKind): Scope => SCOPES[typeOfSubject(kind)];

/**
 * SQL: of columns `kind` and `subject_id`, whether the reader sees the subject, with the rules of the pages of integrations,
 * webhooks and report schedules. No user sees a removed one.
 */
export function showsSubject({ personId, scopes, rows }: NotificationReader): RawBuilder<SqlBool> {
  // Integrations are closed to those who see only some rows.
  const syncs = sql<SqlBool>`kind in ('syncFailed', 'syncRecovered')
    and subject_id in (select id from (${INTEGRATIONS}) i)`;
  const webhooks = sql<SqlBool>`kind = 'webhookStopped'
    and subject_id in (select id from webhooks where ${isWithinRows(rows)})`;
  const schedules = sql<SqlBool>`kind in ('reportFailed', 'scheduleStopped')
    and subject_id in (select id from report_schedules where ${isScheduleSeenBy({ credentialId: personId, rows })})`;
  const ways = [
    ...(scopes.has('integrations:write') && seesAllRows(rows) ? [syncs] : []),
    ...(scopes.has('webhooks:write') ? [webhooks, schedules] : []),
  ];
  return sql<SqlBool>`(${sql.join([sql`false`, ...ways.map((way) => sql`(${way})`)], sql` or `)})`;
}

interface SubjectRow {
  id: string;
  name: string;
  reason: string | null;
  /** In place of the reason: what its reader sees of it depends on the limits. */
  pause?: Pause | null;
}

/** What notifications are about that are not about findings; a transaction of Kysely will do for a database. */
@Injectable()
export class NotifiedSubjectsRepository {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Schema>) {}

  async isVisible(reader: NotificationReader, kind: SubjectKind, subjectId: string): Promise<boolean> {
    const { rows } = await sql<{ visible: boolean }>`
      select ${showsSubject(reader)} as visible
        from (values (${kind}::text, ${subjectId}::uuid)) n (kind, subject_id)`.execute(this.db);
    return rows[0]!.visible;
  }

  /** As they are now, by the ids of the notifications, which a reader with these limits sees. */
  async of(
    notifications: readonly Pick<NotificationRow, 'id' | 'kind' | 'subjectId'>[],
    rows: RowLimits,
  ): Promise<Map<string, NotifiedSubject>> {
    const subjects = new Map<string, NotifiedSubject>();
    for (const kind of new Set(notifications.map((one) => one.kind).filter(isSubjectKind))) {
      const about = notifications.filter((one) => one.kind === kind && one.subjectId !== null);
      const found = await this.find(kind, [...new Set(about.map(({ subjectId }) => subjectId!))]);
      for (const { id, subjectId } of about) {
        const row = found.find((one) => one.id === subjectId);
        if (row) subjects.set(id, { type: typeOfSubject(kind), ...subjectOf(row, rows) });
      }
    }
    return subjects;
  }

  private async find(kind: SubjectKind, ids: readonly string[]): Promise<SubjectRow[]> {
    const { rows } = await sql<SubjectRow>`
      select * from (${SUBJECTS[kind]}) subject where id = any(${[...ids]}::uuid[])`.execute(this.db);
    return rows;
  }
}

const subjectOf = ({ id, name, reason, pause }: SubjectRow, rows: RowLimits) => ({
  ...{ id, name },
  reason: pause ? pauseMessageFor(pause, rows) : reason,
});

const INTEGRATION = sql`
  select i.id, i.name, case when last.status = ${FAILED} then last.errors #>> '{0,message}' end as reason
    from (${INTEGRATIONS}) i left join lateral (${lastSync(sql.ref('i.id'))}) last on true`;

/** SQL: the columns of `SubjectRow`, with the present problem. */
const SUBJECTS: Record<SubjectKind, RawBuilder<unknown>> = {
  syncFailed: INTEGRATION,
  syncRecovered: sql`select id, name, null as reason from (${INTEGRATIONS}) i`,
  webhookStopped: sql`
    select id, coalesce(options ->> 'channel', url) as name, null as reason,
           case when ${IS_STOPPED_WEBHOOK} then paused end as pause from webhooks`,
  reportFailed: sql`
    select s.id, s.name, failed.answer ->> 'message' as reason
      from report_schedules s left join lateral (${LAST_FAILED_REPORT}) failed on true`,
  scheduleStopped: sql`
    select id, name, case when ${IS_STOPPED_SCHEDULE} then stopped ->> 'message' end as reason from report_schedules`,
};
