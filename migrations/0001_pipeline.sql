-- The embedded event log (libs/event-log/src/postgres). One table for all topics; gap-free per partition.
create table log_ends (
  topic       text    not null,
  partition   integer not null,
  next_offset bigint  not null default 0,
  primary key (topic, partition)
);

create table log_records (
  topic     text        not null,
  partition integer     not null,
  "offset"  bigint      not null,
  key       text        not null,
  headers   jsonb,
  value     bytea       not null,
  stored_at timestamptz not null default now(),
  primary key (topic, partition, "offset")
);

-- Who may publish a partition under a name: the greatest epoch (fencing).
create table log_publishers (
  topic     text    not null,
  partition integer not null,
  name      text    not null,
  epoch     bigint  not null,
  primary key (topic, partition, name)
);

-- The log that the projections below were folded from; one row.
create table log_identity (
  only_row   boolean primary key default true check (only_row),
  log_id     uuid    not null,
  partitions integer not null
);

create table credentials (
  id            uuid        primary key,
  username      text        not null unique,
  password_hash text        not null,
  role          text        not null check (role in ('admin', 'analyst', 'viewer')),
  created_at    timestamptz not null,
  last_used_at  timestamptz
);

-- What an Idempotency-Key stood for (D17); a key lives 24 hours.
create table idempotency_keys (
  credential_id uuid        not null,
  key           text        not null,
  upload_id     uuid        not null,
  body_sha256   bytea       not null,
  received_at   timestamptz not null,
  answer        jsonb,
  primary key (credential_id, key)
);
create index idempotency_keys_received_at on idempotency_keys (received_at);

-- One row a partition: the position moves in the same transaction as the rows below.
create table projection_positions (
  partition         integer primary key,
  next_offset       bigint  not null default 0,
  clock             timestamptz not null default 'epoch',
  asset_counter     bigint  not null default 0,
  finding_sequence  bigint  not null default 0,
  asset_sequence    bigint  not null default 0
);

create table assets (
  asset_no       bigint      primary key,
  id             uuid        not null unique,
  partition      integer     not null,
  entity_key     text        not null,
  name           text        not null,
  type           text        not null,
  attack_surface text        not null,
  department     text        not null,
  location       text        not null,
  criticality    text,
  sources        text[]      not null,
  custom_fields  jsonb       not null,
  deleted_at     timestamptz,
  -- The whole asset as the fold holds it.
  state          json        not null
);
create index assets_entity_key on assets (entity_key);
create index assets_name on assets (lower(name) text_pattern_ops);

create table asset_seen (
  asset_no  bigint      primary key,
  last_seen timestamptz not null
) with (fillfactor = 70);

create table asset_history (
  partition  integer     not null,
  sequence   bigint      not null,
  asset_no   bigint      not null,
  at         timestamptz not null,
  change     text        not null,
  cause      json        not null,
  log_offset bigint      not null,
  state      json        not null,
  primary key (partition, sequence)
);
create index asset_history_asset on asset_history (asset_no, partition, sequence);

create table findings (
  asset_no       bigint  not null,
  finding_no     integer not null,
  id             uuid    not null unique,
  partition      integer not null,
  type           text    not null,
  name           text    not null,
  state          text    not null,
  severity_value real    not null,
  cves           text[]  not null,
  techniques     text[]  not null,
  source         text,
  version        integer not null,
  -- The whole finding as the fold holds it.
  body           json    not null,
  primary key (asset_no, finding_no)
);

-- What every signal moves: no secondary index, so that updates stay HOT (measured: docs/decisions.md).
create table finding_seen (
  asset_no        bigint      not null,
  finding_no      integer     not null,
  signal_id       text        not null,
  last_seen       timestamptz not null,
  expires_at      timestamptz not null,
  retain_until    timestamptz not null,
  stamp_at        timestamptz not null,
  stamp_upload    uuid        not null,
  instance_stamps json,
  primary key (asset_no, finding_no)
) with (fillfactor = 70);

create table finding_history (
  partition  integer     not null,
  sequence   bigint      not null,
  asset_no   bigint      not null,
  finding_no integer     not null,
  at         timestamptz not null,
  change     text        not null,
  from_state text,
  to_state   text        not null,
  reason     text,
  cause      json        not null,
  log_offset bigint      not null,
  body       json        not null,
  primary key (partition, sequence)
);
create index finding_history_finding on finding_history (asset_no, finding_no, partition, sequence);

-- What the log says of an upload, per partition; summed on read (a shared row would deadlock).
create table upload_progress (
  upload_id         uuid        not null,
  partition         integer     not null,
  kind              text        not null,
  by_user           text,
  received_at       timestamptz not null,
  seen              integer     not null,
  event_count       integer     not null,
  signals           integer     not null,
  header            json,
  counts            json        not null,
  merged            json        not null,
  unrecognised_tags text[]      not null,
  primary key (upload_id, partition)
);
create index upload_progress_received_at on upload_progress (received_at, upload_id);

-- What the gateway has promised; the log says the same once it is folded.
create table upload_receipts (
  upload_id   uuid        primary key,
  kind        text        not null,
  by_user     text        not null,
  received_at timestamptz not null,
  events      integer     not null,
  signals     integer     not null,
  rejected    integer     not null,
  warnings    json        not null
);
create index upload_receipts_received_at on upload_receipts (received_at, upload_id);

-- Records that are corrupt under a known schema (rule 7).
create table quarantine (
  partition  integer     not null,
  log_offset bigint      not null,
  key        text        not null,
  value      bytea       not null,
  reason     text        not null,
  at         timestamptz not null,
  primary key (partition, log_offset)
);
