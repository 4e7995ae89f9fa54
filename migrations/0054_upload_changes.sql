-- migration: expands
-- Where the changes of an upload are in the histories of a partition, and how many of each kind there are (ADR-0134).
-- Valid if its `seen` is that of the row: an earlier version, which does not write this column, moves `seen` alone.
alter table upload_progress add column changes json;
