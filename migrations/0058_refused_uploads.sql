-- migration: expands
-- Uploads that were refused as a whole, as numbers. Beside the log, which has only what was stored: gateways remove days
-- that are older than 90.

create table refused_uploads (
  -- In UTC.
  day     date        not null,
  -- The kind of the upload: its route.
  kind    text        not null,
  status  integer     not null,
  reason  text        not null,
  count   bigint      not null,
  -- The last one of the day.
  last_at timestamptz not null,
  primary key (day, kind, status, reason)
);
