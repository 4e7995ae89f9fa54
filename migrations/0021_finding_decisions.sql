-- migration: expands
-- SSVC decisions of findings (docs/scoring.md), computed by the scorer with the scores of their assets.

-- The decision on each finding that counts and has a valid CVE, now.
create table finding_decisions (
  partition        integer not null,
  asset_no         bigint  not null,
  finding_no       integer not null,
  decision         text    not null,
  -- What it was made of.
  exploitation     text    not null,
  automatable      boolean not null,
  technical_impact text    not null,
  mission          text    not null,
  -- The CVE that it is about, and CISA's entry of it; null if KEV does not list it.
  cve              text    not null,
  kev_added        date,
  kev_due          date,
  kev_ransomware   boolean,
  primary key (asset_no, finding_no)
);
create index finding_decisions_decision on finding_decisions (decision, asset_no, finding_no);

alter table scored_partitions
  -- Version of the rules by which its findings were decided; 0: never. The scorer marks all assets of another version.
  add column decisions_version integer not null default 0;
