-- migration: expands
-- migration: outside a transaction
-- Counts of findings by ATT&CK technique, without the wide rows of findings.

-- Whether the techniques of a finding fit into an entry of an index, which takes up to 2,704 bytes: of each, its header
-- and padding too.
create or replace function techniques_fit(techniques text[]) returns boolean
  language sql immutable parallel safe
  return octet_length(array_to_string(techniques, '')) + 7 * cardinality(techniques) <= 2400;

drop index concurrently if exists findings_techniques;
create index concurrently findings_techniques on findings (state, type, asset_no, finding_no) include (techniques)
  where techniques <> '{}' and techniques_fit(techniques);
-- The others: a few, which are read from the table.
drop index concurrently if exists findings_many_techniques;
create index concurrently findings_many_techniques on findings (state, asset_no, finding_no)
  where techniques <> '{}' and not techniques_fit(techniques);
