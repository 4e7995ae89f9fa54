-- migration: expands
-- Roles besides admin, analyst and viewer: named sets of scopes (ADR-0096).

create table roles (
  name       text        primary key,
  scopes     text[]      not null,
  created_at timestamptz not null default now()
);

alter table credentials drop constraint credentials_role_check;
