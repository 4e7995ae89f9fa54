-- migration: expands
-- A gateway of an earlier version returns the schemas with which a later projector or scorer writes (R-CHG-6). Under the
-- ids of schemas/ids.json, `registry` is empty. Null: a version before has stored the id.
alter table registered_schemas add column schema text;
