-- migration: expands
-- Second factor of credentials (TOTP), and the one credential for emergencies (ADR-0106). Outside the log.

alter table credentials
  add column is_break_glass       boolean not null default false,
  -- Until when the credential may sign in without a required second factor; null: it has not signed in since.
  add column second_factor_due_at timestamptz;
create unique index credentials_break_glass on credentials (is_break_glass) where is_break_glass;

create table second_factors (
  credential_id   uuid        primary key references credentials on delete cascade,
  -- Sealed.
  secret          text        not null,
  -- Null: the user has not sent a code yet.
  confirmed_at    timestamptz,
  -- Time step (RFC 6238) of the last accepted code: no code of it or before is accepted again.
  last_step       bigint      not null default 0,
  -- SHA-256 of those that are left.
  recovery_hashes bytea[]     not null default '{}',
  -- Codes that were tried since the last right one, until the time at which the count begins again.
  attempts        integer     not null default 0,
  attempts_until  timestamptz not null default 'epoch'
);
