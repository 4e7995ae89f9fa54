-- How far the changes of a partition were published: asked only where the output partition holds nothing to tell it.
create table published_changes (
  topic     text    not null,
  partition integer not null,
  sequence  bigint  not null,
  primary key (topic, partition)
);

-- Deletions in order: the findings of a deleted asset end in tombstones.
create index asset_history_deleted on asset_history (partition, sequence) where change = 'deleted';
