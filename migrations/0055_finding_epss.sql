-- migration: expands
-- migration: outside a transaction
-- Filter of findings by EPSS: the greatest probability of the valid CVEs of a finding, beside its decision.
alter table finding_decisions add column if not exists epss double precision;
drop index concurrently if exists finding_decisions_epss;
create index concurrently finding_decisions_epss on finding_decisions (epss, asset_no, finding_no) where epss is not null;
