-- migration: expands
-- Reports that are sent at times of a calendar, and each sending (ADR-0135). Beside the log, as webhooks are: what is folded
-- elsewhere must not begin to send.

create table report_schedules (
  id         uuid        primary key,
  -- Counts what users change.
  version    integer     not null default 1,
  name       text        not null,
  report     text        not null check (report in ('board', 'technical')),
  -- Five fields, in the time of the zone.
  cron       text        not null,
  time_zone  text        not null,
  channels   text[]      not null,
  -- Encrypted: filter, recipients, addresses and their secrets.
  content    text        not null,
  -- Credential, API token or user of a provider, with whose rights reports are made. It may be gone.
  owner_id   uuid        not null,
  enabled    boolean     not null,
  -- Why the service disabled it: {reason, message, at}; null where it did not.
  stopped    jsonb,
  -- Null: never.
  next_at    timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index report_schedules_due on report_schedules (next_at) where enabled;

-- One row for each time and channel, written before anything is sent.
create table report_deliveries (
  id              uuid        primary key,
  schedule_id     uuid        not null references report_schedules on delete cascade,
  channel         text        not null check (channel in ('email', 'webhook')),
  -- The instant that the report is made as of.
  at              timestamptz not null,
  cause           text        not null check (cause in ('schedule', 'catchUp', 'user')),
  status          text        not null check (status in ('pending', 'sent', 'failed')),
  attempts        integer     not null default 0,
  created_at      timestamptz not null,
  last_attempt_at timestamptz,
  -- While an attempt is in progress: when another process may try it.
  next_attempt_at timestamptz,
  finished_at     timestamptz,
  -- Of the last attempt: {status, message, ms}.
  answer          jsonb,
  unique (schedule_id, at, channel)
);
create index report_deliveries_pending on report_deliveries (next_attempt_at) where status = 'pending';
create index report_deliveries_finished on report_deliveries (finished_at);
