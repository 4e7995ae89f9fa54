-- migration: expands
-- Problems of syncs, webhooks and report schedules notify those who can mend them (ADR-0140).

-- What has been notified and is not over. One row a subject and kind, so that a problem notifies once while it lasts.
create table notified_problems (
  -- `syncFailed`, `webhookStopped`, `reportFailed` or `scheduleStopped`.
  kind        text        not null,
  -- Integration, webhook or report schedule.
  subject_id  uuid        not null,
  -- Differs for another occurrence: the last good sync, when it was stopped, the time of the report.
  cause       text        not null,
  notified_at timestamptz not null,
  primary key (kind, subject_id)
);

-- What a notification is about that has no findings: an integration, a webhook or a report schedule, as its kind says.
alter table notifications add column subject_id uuid;

-- Whoever has not switched everything off; only people with the scopes are notified.
update notification_people
   set kinds = kinds || '{syncFailed,syncRecovered,webhookStopped,reportFailed,scheduleStopped}'
 where kinds <> '{}';

-- The last report of a schedule that was not sent.
create index report_deliveries_failed on report_deliveries (schedule_id, finished_at) where status = 'failed';
