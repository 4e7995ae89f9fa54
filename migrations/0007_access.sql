-- Counts the rotations: tokens of an earlier one are no longer valid (D25).
alter table credentials add column generation integer not null default 1;

-- How many JSON signals the gateways have leased in each minute (D19).
create table json_leases (
  minute timestamptz primary key,
  leased integer     not null
);

-- JSON signals of a credential by hour, for the advice to send ZIPs (D19).
create table json_signals (
  credential_id uuid        not null,
  hour          timestamptz not null,
  signals       integer     not null,
  primary key (credential_id, hour)
);
