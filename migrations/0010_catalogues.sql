-- What publishers say of CVEs (D24), beside the log: the log holds each import with the hash of its content.

-- One import; its id is that of its event. Staged until the event is in the log, then in force from the event's time.
create table catalogue_imports (
  id           uuid        primary key,
  catalogue    text        not null check (catalogue in ('cve', 'epss', 'kev')),
  -- Name of the file or directory, without its folders.
  source       text        not null,
  started_at   timestamptz not null,
  staged_rows  bigint      not null default 0,
  -- Over those; by it an import that was interrupted knows that it reads the same again.
  staged_hash  text,
  -- Over all rows as they were read; null until all are staged.
  content_hash text,
  -- Time of the event; null until it is folded and its rows are in force.
  valid_from   timestamptz,
  -- What it changed of what was in force; null as valid_from.
  added        bigint,
  changed      bigint,
  removed      bigint,
  -- From which asset number on the assets that it touches are still to be marked (rescorings); null: none are.
  marking_from bigint
);

create table catalogue_staged (
  import_id uuid  not null,
  cve       text  collate "C" not null,
  value     jsonb not null,
  primary key (import_id, cve)
);

-- What was known of a CVE, and from when to when. A catalogue has at most one row of a CVE in force at any instant.
create table catalogue_rows (
  catalogue  text        not null,
  cve        text        collate "C" not null,
  -- cve: {"state"}; epss: {"probability", "date"}; kev: {"dateAdded"}
  value      jsonb       not null,
  valid_from timestamptz not null,
  valid_to   timestamptz not null default 'infinity',
  primary key (cve, catalogue, valid_from)
);
create unique index catalogue_rows_in_force on catalogue_rows (catalogue, cve) where valid_to = 'infinity';
