import { type RawBuilder, sql } from 'kysely';
import { ORGANIZATION_KEY } from '#libs/domain';

/** SQL: id and name of each integration. */
export const INTEGRATIONS = sql`
  select (one ->> 'id')::uuid as id, one ->> 'name' as name
    from organization cross join lateral json_array_elements(coalesce(state -> 'integrations', '[]')) one
   where entity_key = ${sql.lit(ORGANIZATION_KEY)}`;

/**
 * SQL: the last sync of an integration that says whether its syncs work. A cancelled one does not, nor does a scheduled one
 * that ended with its collector: it is repeated within minutes.
 */
export const lastSync = (integrationId: RawBuilder<unknown>) => sql`
  select status, finished_at, errors from syncs
   where integration_id = ${integrationId} and finished_at is not null
     and end_reason is distinct from 'cancelled'
     and (end_reason is distinct from 'interrupted' or retry > 0 or action = 'manual')
   order by requested_at desc, id limit 1`;

/** SQL: the last report of the schedule `s` that was not sent, since a user has changed the schedule. */
export const LAST_FAILED_REPORT = sql`
  select at, finished_at, answer from report_deliveries
   where schedule_id = s.id and status = 'failed' and finished_at > s.updated_at
   order by finished_at desc limit 1`;

/** Of webhooks that the service has paused; a user or a restore has paused the others. */
export const IS_STOPPED_WEBHOOK = sql`not enabled and paused ->> 'reason' in ('gone', 'exhausted', 'gap')`;

/** Of report schedules that the service has stopped, other than those of a restored site. */
export const IS_STOPPED_SCHEDULE = sql`stopped ->> 'reason' = 'access'`;

/** SQL: a failed sync. */
export const FAILED = sql.lit(2);
