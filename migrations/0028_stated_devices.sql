-- migration: expands
-- migration: outside a transaction
-- Devices that integrations describe as the asset, each as JSON [source, id]: the collector looks up which ones are gone,
-- and which asset a device was before its host name changed.
alter table assets add column if not exists stated_devices text[] not null default '{}';
drop index concurrently if exists assets_stated_devices;
create index concurrently assets_stated_devices on assets using gin (stated_devices) where stated_devices <> '{}';
