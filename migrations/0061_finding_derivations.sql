-- migration: expands
-- migration: outside a transaction
-- What is derived from the JSON of a finding for search, sorting and filters is written by the projector (ADR-0147):
-- PostgreSQL parsed the JSON again for each of it. The columns change only the catalogue.

alter table findings
  add column if not exists updated_ms bigint,
  add column if not exists first_seen_ms bigint,
  -- The version of the finding that these and text_id belong to. Null in rows of earlier versions, which have no times.
  add column if not exists derived_version integer;

-- For projectors of an earlier version, which write the rows without them: each write raises the version.
create or replace function finding_derivations() returns trigger language plpgsql as $$
begin
  new.text_id := md5(finding_text(new.name, new.body))::uuid;
  new.updated_ms := (new.body ->> 'updatedAt')::bigint;
  new.first_seen_ms := (new.body ->> 'firstSeen')::bigint;
  new.derived_version := new.version;
  return new;
end $$;
create or replace trigger findings_derivations before insert or update on findings
  for each row when (new.derived_version is distinct from new.version) execute function finding_derivations();
-- Existing rows keep their values.
alter table findings alter column text_id drop expression if exists;

-- Times of existing rows are read from the JSON, once for each index.
drop index concurrently if exists findings_updated_ms;
create index concurrently findings_updated_ms
  on findings (coalesce(updated_ms, (body ->> 'updatedAt')::bigint), asset_no, finding_no);
drop index concurrently if exists findings_updated;
drop index concurrently if exists findings_first_seen_ms;
create index concurrently findings_first_seen_ms
  on findings (coalesce(first_seen_ms, (body ->> 'firstSeen')::bigint), asset_no, finding_no);
drop index concurrently if exists findings_first_seen;
