-- migration: expands
-- Totals of findings by what they are counted by (ADR-0125). Each batch of the fold moves them, by partition, so that no
-- two projectors meet in a row; they are added up on read. A group without findings has no row.

-- Level of a severity's value (CVSS v3.1, section 5).
create function severity_level(value double precision) returns text
  language sql immutable parallel safe
  return case when value >= 9 then 'critical' when value >= 7 then 'high' when value >= 4 then 'medium'
              when value >= 0.1 then 'low' else 'info' end;

create table finding_totals (
  partition  integer not null,
  -- md5 of asset type and department, which may be longer than an index takes.
  group_key  uuid    not null,
  state      text    not null,
  type       text    not null,
  -- CVSS rating of the value.
  severity   text    not null,
  asset_type text    not null,
  department text    not null,
  findings   bigint  not null,
  primary key (partition, group_key, state, type, severity)
) with (fillfactor = 50);

-- Findings that are not retired, by the ATT&CK techniques that they name.
create table technique_totals (
  partition     integer not null,
  -- md5 of the technique.
  technique_key uuid    not null,
  -- `technique` is the beginning of an id, `T1059`: findings that name it or one of its sub-techniques, each once.
  is_family     boolean not null,
  state         text    not null,
  type          text    not null,
  technique     text    not null,
  findings      bigint  not null,
  primary key (partition, technique_key, is_family, state, type)
) with (fillfactor = 50);

-- Up to where the totals are those of the findings. They are exact if `next_offset` is that of the partition's position
-- and all assets are counted. A projector of an earlier version moves the position alone, and a replay of one replaces
-- the tables: then the findings are counted again, while the fold continues.
create table totals_progress (
  partition      integer not null,
  -- The table `findings` that was counted: a replay folds into another one.
  findings_table oid     not null,
  next_offset    bigint  not null,
  -- The first assets of the partition, as many as this, are counted. Null: all, also those to come.
  counted_assets bigint,
  primary key (partition, findings_table)
) with (fillfactor = 50);
