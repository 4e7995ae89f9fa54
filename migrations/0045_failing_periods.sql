-- migration: expands
-- Failing periods of findings (ADR-0122), in epoch milliseconds: the properties `failedSince` and `settledAt` of the body.
-- Null until a finding has changed under rules 6.
alter table findings
  add column if not exists failed_since_ms bigint,
  add column if not exists settled_at_ms bigint;
