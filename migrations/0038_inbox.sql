-- migration: expands
-- The inbox (ADR-0118): signals that other programs send to a topic of Kafka.

create table inbox_positions (
  partition   integer primary key,
  -- The next offset of the topic that a gateway takes.
  next_offset bigint  not null
);

-- Uploads of the inbox have no user, but a record as their source, such as posture.signals/3/1234.
alter table upload_receipts alter column by_user drop not null;
alter table upload_receipts add column source text;
