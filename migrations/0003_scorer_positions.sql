-- How far the scorer has followed the change topics.
create table scorer_positions (
  topic       text    not null,
  partition   integer not null,
  next_offset bigint  not null,
  primary key (topic, partition)
);
