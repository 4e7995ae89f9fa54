-- migration: expands
-- Long-lived tokens of programs (ADR-0096). Outside the log: it never contains a secret.

create table api_tokens (
  id             uuid        primary key,
  name           text        not null unique,
  -- SHA-256 of the token; null after a restore to a time at which another one was valid.
  secret_hash    bytea       unique,
  -- Of the token before the last rotation, and until when it is valid.
  previous_hash  bytea       unique,
  previous_until timestamptz,
  scopes         text[]      not null,
  -- Addresses and networks that may use it; empty: any.
  networks       text[]      not null,
  created_at     timestamptz not null,
  expires_at     timestamptz,
  last_used_at   timestamptz,
  -- Counts the rotations, so that a restore knows which came later.
  generation     integer     not null default 1,
  check ((previous_hash is null) = (previous_until is null))
);
