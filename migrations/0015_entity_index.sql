-- migration: expands
-- migration: outside a transaction
-- A B-tree takes no key beyond 2,704 bytes, an entity's name may have three times its 1,024 letters in bytes: the asset
-- could not be written, and its partition stopped there. Entities are looked up by the whole key alone, never in order.
drop index concurrently if exists assets_entity;
create index concurrently assets_entity on assets using hash (entity_key);
drop index concurrently if exists assets_entity_key;
