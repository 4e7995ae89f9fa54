-- migration: expands
-- migration: outside a transaction
-- Changes of the history that end failing periods, or begin others after them (ADR-0133): few of all changes.
drop index concurrently if exists finding_history_failed_again;
create index concurrently finding_history_failed_again
  on finding_history (at, asset_no, finding_no, partition, sequence)
  where to_state = 'Failed' and from_state <> 'Failed';
drop index concurrently if exists finding_history_ended;
create index concurrently finding_history_ended
  on finding_history (at, asset_no, finding_no, partition, sequence) include (to_state, reason, expired_at)
  where to_state in ('Qualified', 'Retired') and from_state in ('Failed', 'NotAssessed', 'AcceptedFailed');
