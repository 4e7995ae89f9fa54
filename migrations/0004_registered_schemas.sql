-- Under which ids schema registries know the schemas of schemas/ids.json. A row stays: records carry its id for ever.
create table registered_schemas (
  -- Address without credentials.
  registry      text        not null,
  subject       text        not null,
  -- Of schemas/ids.json.
  schema_id     integer     not null,
  registry_id   integer     not null,
  -- The last time that the registry said so: one that has lost its data gives other ids.
  registered_at timestamptz not null default now(),
  primary key (registry, schema_id, registry_id)
);
