-- migration: expands
-- Sign-ins, and uses of access tokens that are no longer good. Beside the log, which is for ever: gateways remove what is
-- older than SECURITY_EVENTS_DAYS. Empty texts stand for what there is not.

create table security_events (
  id         uuid        primary key,
  -- Alike events of a minute share a row: the first, the last, and how many.
  minute     timestamptz not null,
  at         timestamptz not null,
  last_at    timestamptz not null,
  count      integer     not null,
  kind       text        not null,
  outcome    text        not null,
  reason     text        not null,
  user_name  text        not null,
  -- Of an access token: the beginning of its SHA-256.
  token      text        not null,
  address    text        not null,
  -- Of the first.
  request_id text        not null
);
create unique index security_events_alike
  on security_events (minute, kind, outcome, reason, user_name, token, address);
create index security_events_at on security_events (at, id);
