-- What integrations hold beside the log: secrets, which are never in it, and how their syncs go.

create table integration_secrets (
  integration_id uuid not null,
  -- Of the configuration's field: `clientSecret`.
  name           text not null,
  -- Encrypted (D27).
  sealed         text not null,
  -- Version of the integration that it was given for.
  version        integer     not null,
  given_at       timestamptz not null default now(),
  primary key (integration_id, name)
);

-- One row a sync, from its request on (D29).
create table syncs (
  id             uuid        primary key,
  integration_id uuid        not null,
  action         text        not null check (action in ('manual', 'scheduled', 'catchUp')),
  is_full        boolean     not null,
  -- What it pulls from and which part: a watermark says nothing of another one; null until it begins.
  scope          text,
  -- User name; null where nobody asked for it.
  requested_by   text,
  requested_at   timestamptz not null,
  started_at     timestamptz,
  finished_at    timestamptz,
  stage          text        not null check (stage in ('QUEUED', 'TRANSFORMING', 'COMPLETED', 'ERROR')),
  -- Of the stage.
  percent        smallint    not null default 0,
  -- 0 Success, 1 In Progress, 2 Error, 3 Partial Success.
  status         smallint    not null check (status between 0 and 3),
  -- Signals and records by what became of them.
  counts         jsonb       not null default '{}',
  -- What failed, the first so many: [{what, message}].
  errors         jsonb       not null default '[]',
  -- Where the next delta begins: what was applied reaches to here.
  watermark      text
);
create unique index syncs_unfinished on syncs (integration_id) where stage in ('QUEUED', 'TRANSFORMING');
create index syncs_of on syncs (integration_id, requested_at desc, id);
