-- migration: expands
-- The last time that a program took from clocks which it trusted: what a start compares its own clock with.
create table trusted_time (
  only_row boolean     primary key default true check (only_row),
  at       timestamptz not null
);

-- An operator's word that a clock is right although it is more than a day ahead of the last trusted time.
create table clock_confirmations (
  -- The database's clock at that moment: the time that was confirmed.
  clock        timestamptz primary key,
  last_trusted timestamptz,
  confirmed_by text        not null,
  reason       text        not null
);
