-- migration: expands
-- migration: outside a transaction
-- Assets by their tags, by which owner rules find them (ADR-0122).
drop index concurrently if exists assets_tags;
create index concurrently assets_tags on assets using gin (((state -> 'tags')::jsonb) jsonb_path_ops);
