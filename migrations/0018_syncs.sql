-- migration: expands
-- Syncs that are repeated after a failure, cancelled, and ended by their budget; and what became of what they brought.
alter table syncs
  -- Which repetition of a scheduled sync that failed; 0: none.
  add column retry smallint not null default 0,
  add column cancel_requested_at timestamptz,
  -- User name.
  add column cancel_requested_by text,
  -- Why it was cut off; null where it was not, or failed.
  add column end_reason text check (end_reason in ('cancelled', 'overBudget', 'interrupted')),
  -- Pages that brought signals, each an upload: how many there are, and how many of them `outcome` has, from the first.
  add column uploads integer not null default 0,
  add column counted integer not null default 0,
  -- Counts of those uploads, as the fold has them.
  add column outcome jsonb;
create index syncs_uncounted on syncs (requested_at desc) where counted < uploads;
