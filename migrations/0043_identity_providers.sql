-- migration: expands
-- Identity providers that admins add through the API (ADR-0119). Outside the log: it never contains a secret.

create table identity_providers (
  id            text        primary key,
  label         text        not null,
  -- It never changes: the subjects of users are those of this issuer. So a removed provider keeps its row.
  issuer        text        not null,
  -- All others except the secret. Not `jsonb`, which has no place for some characters of JSON.
  settings      json        not null,
  -- Sealed. Null: removed, or to be entered again after a restore.
  client_secret text,
  -- Counts its acts, so that a restore knows which came later.
  generation    integer     not null,
  created_at    timestamptz not null,
  changed_at    timestamptz not null,
  removed_at    timestamptz,
  check (removed_at is null or client_secret is null)
);
create unique index identity_providers_label on identity_providers (lower(label)) where removed_at is null;
