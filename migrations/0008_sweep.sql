-- What the sweep looks for. Both follow from the asset's findings and move with its last signal.

-- When the first of the asset's findings falls due by time alone (expiry, retention, end of an acceptance).
alter table asset_seen add column due_at timestamptz;
-- The last signal of a live asset without active findings.
alter table asset_seen add column idle_since timestamptz;

update asset_seen s set
  due_at = (
    select min(least(fs.expires_at, fs.retain_until, to_timestamp((f.body -> 'accepted' ->> 'until')::numeric / 1000)))
    from findings f join finding_seen fs using (asset_no, finding_no)
    where f.asset_no = s.asset_no and f.state <> 'Retired'),
  idle_since = (
    select s.last_seen from assets a
    where a.asset_no = s.asset_no and a.deleted_at is null
      and not exists (select from findings f where f.asset_no = a.asset_no and f.state <> 'Retired'));

create index asset_seen_due on asset_seen (due_at) where due_at is not null;
create index asset_seen_idle on asset_seen (idle_since) where idle_since is not null;

-- How far existing assets were typed by the mapping of a settings version.
create table retypings (
  partition       integer primary key,
  mapping_version integer not null,
  after_asset_no  bigint  not null
);
