-- migration: expands
-- The departments and locations to which a credential or an API token is limited; null: all (ADR-0102).

alter table credentials add column departments text[], add column locations text[];
alter table api_tokens add column departments text[], add column locations text[];
