-- What the organization has decided: settings, departments, locations, custom fields, mapping. Folded from the log.
create table organization (
  entity_key text    primary key,
  partition  integer not null,
  version    integer not null,
  -- The whole organization as the fold holds it.
  state      json    not null
);

-- The audit trail: every act of a user, done or refused. Folded from the log.
create table acts (
  partition  integer     not null,
  log_offset bigint      not null,
  at         timestamptz not null,
  by_user    text,
  action     text        not null,
  target     text        not null,
  detail     json        not null,
  refused    text,
  request_id text,
  primary key (partition, log_offset)
);
create index acts_at on acts (at desc, partition desc, log_offset desc);
create index acts_target on acts (target, at desc);
create index acts_request on acts (request_id) where request_id is not null;
