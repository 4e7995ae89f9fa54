-- migration: expands
-- Retention of the history of findings (ADR-0108): how far each type is trimmed, and what the removed changes were.

create table history_trims (
  partition        integer     not null,
  finding_type     text        not null,
  -- States from this time on are complete.
  kept_from        timestamptz not null,
  -- The last superseding change that was looked at.
  through_sequence bigint      not null,
  removed          bigint      not null,
  primary key (partition, finding_type)
);

create table history_summaries (
  partition    integer not null,
  finding_type text    not null,
  -- Of the removed changes, such as 2026-03, in UTC.
  month        text    not null,
  change       text    not null,
  state        text    not null,
  severity     text    not null,
  changes      bigint  not null,
  primary key (partition, finding_type, month, change, state, severity)
);
