-- migration: expands
-- Where changes are delivered to over HTTP, and how far. Beside the log, as credentials are: what is folded elsewhere must
-- not begin to send.

create table webhooks (
  id              uuid        primary key,
  -- Counts what users change.
  version         integer     not null default 1,
  url             text        not null,
  topics          text[]      not null,
  -- Which changes of findings: {severityMin?, states?}.
  filter          jsonb       not null default '{}',
  -- Encrypted (D27); the one before signs too, for a while.
  secret          text        not null,
  previous_secret text,
  previous_until  timestamptz,
  enabled         boolean     not null,
  -- Why it is not: {reason, message, at}; null where it is.
  paused          jsonb,
  -- Everything up to here is delivered, or was passed over by the filter: an id of the change stream.
  position        text        not null,
  created_at      timestamptz not null,
  updated_at      timestamptz not null
);

-- One row a delivery: what lies between two positions, sent under one id until it is taken.
create table webhook_deliveries (
  id              uuid        primary key,
  webhook_id      uuid        not null references webhooks on delete cascade,
  -- `superseded`: what it was to bring was decided anew before it was taken.
  status          text        not null check (status in ('pending', 'delivered', 'superseded')),
  from_position   text        not null,
  to_position     text        not null,
  changes         integer     not null,
  bytes           integer     not null,
  created_at      timestamptz not null,
  attempts        integer     not null default 0,
  first_attempt_at timestamptz,
  last_attempt_at timestamptz,
  -- When it is sent again; null: at once.
  next_attempt_at timestamptz,
  finished_at     timestamptz,
  -- Of the last attempt: {status, message, ms}; null before the first.
  answer          jsonb
);
-- A webhook has one on its way: that is its order.
create unique index webhook_deliveries_pending on webhook_deliveries (webhook_id) where status = 'pending';
create index webhook_deliveries_of on webhook_deliveries (webhook_id, created_at desc, id);
create index webhook_deliveries_finished on webhook_deliveries (finished_at) where status <> 'pending';
