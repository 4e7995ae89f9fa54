-- Scores, computed from findings, assets and catalogues by the scorer; all of it can be computed again.

-- How far the history of a partition is scored, and its changes of scores numbered; locked by whoever scores it.
create table scored_partitions (
  partition        integer primary key,
  asset_sequence   bigint  not null default 0,
  finding_sequence bigint  not null default 0,
  -- Of the last row of score_changes.
  sequence         bigint  not null default 0,
  -- The model that its scores were computed with.
  model            text    not null
);

-- The score of each live asset now.
create table asset_scores (
  asset_no   bigint      primary key,
  partition  integer     not null,
  -- Hundredths of a point; null where nothing counts (D22).
  score      smallint,
  -- Millionths.
  likelihood integer,
  -- Since when it is so.
  scored_at  timestamptz not null,
  -- When it is to be scored again though nothing changes, because a finding ends, and from which instant on.
  due_at     timestamptz,
  due_from   timestamptz
);
create index asset_scores_rank on asset_scores (score desc nulls last, asset_no);
create index asset_scores_due on asset_scores (partition, due_at) where due_at is not null;

-- What the score and the groups of each asset were, from when to when; no row while it was not there or deleted.
create table score_history (
  asset_no       bigint      not null,
  partition      integer     not null,
  valid_from     timestamptz not null,
  valid_to       timestamptz not null default 'infinity',
  score          smallint,
  likelihood     integer,
  type           text        not null,
  attack_surface text        not null,
  department     text        not null,
  location       text        not null,
  primary key (asset_no, valid_from)
);
create index score_history_from on score_history (valid_from);
create index score_history_to on score_history (valid_to);

-- Sums of the groups now, by partition so that no two scorers meet in a row; added up on read (`RiskSum`).
create table score_sums (
  partition     integer not null,
  kind          text    not null check (kind in ('organization', 'type', 'attackSurface', 'department', 'location')),
  name          text    not null,
  assets        bigint  not null,
  scored_assets bigint  not null,
  -- Of scores in hundredths.
  fourth_powers numeric not null,
  -- Of likelihoods in millionths.
  likelihood    bigint  not null,
  -- Names may be longer than an index takes.
  name_key      uuid    generated always as (md5(name)::uuid) stored,
  primary key (partition, kind, name_key)
);

-- Every change of a score in the order in which it is published, gap-free in each partition.
create table score_changes (
  partition           integer     not null,
  sequence            bigint      not null,
  asset_no            bigint      not null,
  -- Told here, as a replay may leave no asset.
  asset_id            uuid        not null,
  asset_name          text        not null,
  at                  timestamptz not null,
  score               smallint,
  likelihood          integer,
  previous_score      smallint,
  previous_likelihood integer,
  -- The asset is deleted, or a replay no longer makes it: it has no score any more.
  is_gone             boolean     not null,
  model               text        not null,
  catalogue           text        not null,
  primary key (partition, sequence)
);

-- Assets to be scored again from an instant on, after an import or a replay.
create table rescorings (
  partition integer     not null,
  asset_no  bigint      not null,
  since     timestamptz not null,
  primary key (partition, asset_no)
);

-- The history says what there is to score (scored_partitions): no position in the change topics is needed.
drop table scorer_positions;
