-- migration: expands
-- migration: outside a transaction
-- Findings in the order of their due dates by SLA (ADR-0122), and those that were remedied.

-- Rank of a severity's level, from 0 (info) to 4 (critical).
create or replace function severity_rank(severity real) returns integer
  language sql immutable parallel safe
  return case when severity >= 9 then 4 when severity >= 7 then 3 when severity >= 4 then 2 when severity >= 0.1 then 1
              else 0 end;

-- Failing periods that have not ended, by their beginning; those with a due date of a user are in findings_due.
drop index concurrently if exists findings_failing;
create index concurrently findings_failing
  on findings (state, severity_rank(severity_value), failed_since_ms, asset_no, finding_no) include (severity_value)
  where failed_since_ms is not null and settled_at_ms is null and due_ms is null;
-- Of findings that have not changed under rules 6.
drop index concurrently if exists findings_failing_not_stored;
create index concurrently findings_failing_not_stored
  on findings (severity_rank(severity_value), ((body ->> 'firstSeen')::bigint), asset_no, finding_no)
  where state = 'Failed' and failed_since_ms is null and due_ms is null;
-- Failing periods that have ended.
drop index concurrently if exists findings_settled;
create index concurrently findings_settled
  on findings (settled_at_ms, asset_no, finding_no) include (failed_since_ms, state, severity_value, due_ms)
  where settled_at_ms is not null;
drop index concurrently if exists finding_decisions_kev;
create index concurrently finding_decisions_kev on finding_decisions (asset_no, finding_no) where kev_added is not null;
-- The planner knows how many findings have a rank.
create statistics if not exists findings_severity_rank on (severity_rank(severity_value)) from findings;
analyze findings (severity_value);
