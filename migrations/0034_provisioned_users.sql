-- migration: expands
-- Users and groups that an identity provider provisions (SCIM), and users that an admin disables (ADR-0107). Outside the log.

alter table users
  -- Null: a provisioned user who has not signed in.
  alter column subject drop not null,
  alter column last_sign_in_at drop not null,
  add column is_active    boolean     not null default true,
  -- Of the provider (`userName`); null: the name without the id of the provider.
  add column user_name    text,
  -- `externalId`, by which a sign-in finds a provisioned user.
  add column external_id  text,
  add column display_name text,
  -- By SCIM or an admin; null: not since its creation.
  add column changed_at   timestamptz;
create index users_external_id on users (provider, external_id) where external_id is not null;

create table user_groups (
  id           uuid        primary key,
  provider     text        not null,
  display_name text        not null,
  external_id  text,
  -- Ids of users. Those that are gone are left out when it is read.
  members      uuid[]      not null default '{}',
  created_at   timestamptz not null,
  changed_at   timestamptz not null
);
create unique index user_groups_name on user_groups (provider, lower(display_name));
