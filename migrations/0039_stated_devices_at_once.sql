-- migration: expands
-- A pull looks up each of its devices. With a pending list, each look would read the whole list.
alter index assets_stated_devices set (fastupdate = off);
select gin_clean_pending_list('assets_stated_devices'::regclass);
