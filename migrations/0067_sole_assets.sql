-- migration: expands
-- Assets that the bare names of a replacing upload meant, until the assessments of their entities are closed (ADR-0151).
-- Null: none.
alter table upload_progress add column sole_assets json;
