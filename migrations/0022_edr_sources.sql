-- migration: expands
-- migration: outside a transaction
-- Sources of the integrations whose EDR inventory contains the asset: the collector looks up which ones end.
alter table assets add column if not exists edr_sources text[] not null default '{}';
drop index concurrently if exists assets_edr_managed;
create index concurrently assets_edr_managed on assets (asset_no) where edr_sources <> '{}';
