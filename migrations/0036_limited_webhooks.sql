-- migration: expands
-- The departments and locations to whose assets a webhook is limited; null: all (ADR-0109).

alter table webhooks add column departments text[], add column locations text[];
