-- migration: expands
-- migration: outside a transaction
-- Filters of findings: acceptances by their end, and CVEs that are used in ransomware campaigns. Both indexes contain
-- only such findings, so that ingest writes nothing to them.
drop index concurrently if exists findings_accepted_until;
create index concurrently findings_accepted_until
  on findings (((body #>> '{accepted,until}')::bigint), asset_no, finding_no) where state = 'AcceptedFailed';
drop index concurrently if exists finding_decisions_ransomware;
create index concurrently finding_decisions_ransomware on finding_decisions (asset_no, finding_no) where kev_ransomware;
