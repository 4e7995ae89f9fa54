-- migration: expands
-- A ZIP that is sent again under other settings has other events: the retry must not continue it (R-UPL-3).

-- Null: one signal, or a key of an earlier version.
alter table idempotency_keys add column settings_version integer;
