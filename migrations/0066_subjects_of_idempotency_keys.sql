-- migration: expands
-- A ZIP that is sent again after an erasure has other events: the retry must not continue it (R-UPL-3).

-- Null: nothing of a ZIP was appended yet, one signal, or a key of an earlier version.
alter table idempotency_keys add column subjects_sha256 bytea;
