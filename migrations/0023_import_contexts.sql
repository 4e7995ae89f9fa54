-- migration: expands
-- Products, engagements and tests that clients of DefectDojo's import API have named, with the ids that they send.
create table import_contexts (
  -- The next after the greatest: a sequence would start again after a restore.
  id bigint primary key,
  kind text not null check (kind in ('productType', 'product', 'engagement', 'test')),
  -- 0: a product type, which has none.
  parent_id bigint not null,
  name text not null
);
create unique index import_contexts_name on import_contexts (kind, parent_id, md5(name));
