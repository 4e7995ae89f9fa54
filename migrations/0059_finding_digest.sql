-- migration: expands
-- The digest of the last signal of a finding (ADR-0142): a projector reads no finding that a signal with the same digest
-- leaves as it is. Null: unknown, as in all rows so far. Both columns change only the catalogue.
alter table finding_seen add column digest uuid;

-- Up to which change of the history of findings the digests are valid: `finding_sequence` after each batch of a projector
-- that stores them. One of an earlier version leaves it behind. Null: the partition has no digests.
alter table projection_positions add column digested_sequence bigint;
