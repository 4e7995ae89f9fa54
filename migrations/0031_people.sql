-- migration: expands
-- People who sign in with an identity provider, and sessions of people in the console (ADR-0101). Outside the log.

create table users (
  id              uuid        primary key,
  provider        text        not null,
  -- The claim `sub`, which identifies the user at the provider for ever.
  subject         text        not null,
  name            text        not null unique,
  -- Roles and scopes that the groups of the user give, as of the last check.
  grants          text[]      not null,
  departments     text[],
  locations       text[],
  created_at      timestamptz not null,
  last_sign_in_at timestamptz not null,
  unique (provider, subject)
);

create table sessions (
  id               uuid        primary key,
  secret_hash      bytea       not null unique,
  user_id          uuid,
  credential_id    uuid,
  -- Of the credential: a rotation ends its sessions.
  generation       integer,
  created_at       timestamptz not null,
  expires_at       timestamptz not null,
  -- No use extends the session beyond it.
  ends_at          timestamptz not null,
  address          text        not null,
  user_agent       text        not null,
  -- The claim `sid`, which the provider names when it ends its session.
  provider_session text,
  -- Sealed. Null: the provider gave none.
  refresh_token    text,
  -- When the provider last confirmed the groups of the user, and when it is asked again; null: never.
  checked_at       timestamptz,
  check_at         timestamptz,
  check ((user_id is null) <> (credential_id is null)),
  check ((credential_id is null) = (generation is null))
);
create index sessions_user on sessions (user_id);
create index sessions_credential on sessions (credential_id);
create index sessions_check on sessions (check_at) where check_at is not null;
