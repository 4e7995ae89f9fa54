-- migration: expands
-- migration: outside a transaction
-- Triage of findings (ADR-0115): what lists filter and sort by. Null if no user has triaged the finding, so that ingest
-- writes nothing to the indexes.
alter table findings
  -- `user:` or `team:`, and the name.
  add column if not exists assignee text,
  add column if not exists tags text[],
  -- Epoch milliseconds.
  add column if not exists due_ms bigint;
drop index concurrently if exists findings_assignee;
create index concurrently findings_assignee on findings (assignee, asset_no, finding_no) where assignee is not null;
drop index concurrently if exists findings_tags;
create index concurrently findings_tags on findings using gin (tags) where tags is not null;
drop index concurrently if exists findings_due;
create index concurrently findings_due on findings (due_ms, asset_no, finding_no) where due_ms is not null;
