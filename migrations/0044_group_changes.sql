-- migration: expands
-- Changes of the groups of users, which a restore compares with the acts of the log (ADR-0107).

-- Counts the acts by which provisioned groups have given a user other rights.
alter table users add column rights_changes integer not null default 0;
