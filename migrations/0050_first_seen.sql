-- migration: expands
-- migration: outside a transaction
-- Filter of findings by the time at which they were first seen, which never changes: an index gets one entry for each.
drop index concurrently if exists findings_first_seen;
create index concurrently findings_first_seen on findings (((body ->> 'firstSeen')::bigint), asset_no, finding_no);
