-- migration: expands
-- migration: outside a transaction
-- Groups of findings by CVE, technique and title, without the wide rows of findings (ADR-0146). Each index takes the
-- place of one.

-- Whether the techniques and CVEs of a finding fit into an entry of an index, which takes up to 2,704 bytes: of each, its
-- header and padding too.
create or replace function mappings_fit(techniques text[], cves text[]) returns boolean
  language sql immutable parallel safe
  return octet_length(array_to_string(techniques, '')) + octet_length(array_to_string(cves, ''))
         + 7 * (cardinality(techniques) + cardinality(cves)) <= 2400;

drop index concurrently if exists findings_mappings;
create index concurrently findings_mappings on findings (state, type, asset_no, finding_no)
  include (techniques, cves, severity_value)
  where (techniques <> '{}' or cves <> '{}') and mappings_fit(techniques, cves);
drop index concurrently if exists findings_techniques;
-- The others: a few, which are read from the table.
drop index concurrently if exists findings_many_mappings;
create index concurrently findings_many_mappings on findings (state, asset_no, finding_no)
  where (techniques <> '{}' or cves <> '{}') and not mappings_fit(techniques, cves);
drop index concurrently if exists findings_many_techniques;

-- Names in the order of lists, with the columns of findings_facets.
drop index concurrently if exists findings_title;
create index concurrently findings_title on findings (sort_name, asset_no, finding_no)
  include (state, type, severity_value);
drop index concurrently if exists findings_name;
