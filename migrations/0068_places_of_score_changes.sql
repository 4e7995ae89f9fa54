-- migration: expands
-- Where the asset was when it was scored, which decides who may see the change (ADR-0152). Null: a scorer of a version
-- before has written it; it belongs to the place of its asset at its time.
alter table score_changes add column places json;
