-- migration: expands
-- Whence the acts of the audit trail came: the address and the token of their requests. Beside the log, which is for ever:
-- gateways remove what is older than SECURITY_EVENTS_DAYS. With sealing, user name and address are sealed texts.

create table act_origins (
  request_id text        not null,
  -- As in the act.
  by_user    text        not null,
  address    text        not null,
  -- The beginning of the SHA-256 of the token.
  token      text        not null,
  at         timestamptz not null,
  -- A client can use a request id again.
  primary key (request_id, by_user, address, token)
);
create index act_origins_at on act_origins (at);
