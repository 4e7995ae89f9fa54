-- migration: expands
-- migration: outside a transaction
-- The partition of the rows that every signal updates (ADR-0137), so that all folded tables can be divided by it. Both
-- tables are large: the columns begin as null, and existing rows are filled while projectors write.

alter table asset_seen add column if not exists partition integer;
alter table finding_seen add column if not exists partition integer;

-- For projectors of an earlier version, which write the rows without it: asset numbers carry the partition.
create or replace function seen_partition() returns trigger language plpgsql as $$
begin
  new.partition := mod(new.asset_no, 1024);
  return new;
end $$;
create or replace trigger asset_seen_partition before insert or update on asset_seen
  for each row when (new.partition is null) execute function seen_partition();
create or replace trigger finding_seen_partition before insert or update on finding_seen
  for each row when (new.partition is null) execute function seen_partition();

-- By ranges of 512 pages, each in four steps of other rows of a page, so that new versions of the rows fit into the free
-- part of it: no index entry is written, and the table does not grow. A row that a projector has locked is skipped: the
-- trigger fills it, or the next round. Each step is a transaction, so that an interruption continues where it was.
do $$
declare
  filled text;
  page bigint;
  pages bigint;
  step integer;
  is_left boolean;
begin
  foreach filled in array array['asset_seen', 'finding_seen'] loop
    loop
      pages := pg_relation_size(filled::regclass) / current_setting('block_size')::bigint;
      page := 0;
      while page < pages loop
        for step in 0..3 loop
          execute format(
            'update %1$I set partition = mod(asset_no, 1024) where ctid = any (array(
               select ctid from %1$I
               where ctid >= %2$L::tid and ctid < %3$L::tid and partition is null and mod(%4$s, 4) = $1
               for update skip locked))',
            filled, format('(%s,0)', page), format('(%s,0)', page + 512),
            case filled when 'asset_seen' then 'asset_no / 1024' else 'asset_no / 1024 + finding_no' end)
          using step;
          commit;
        end loop;
        page := page + 512;
      end loop;
      execute format('select exists (select from %I where partition is null)', filled) into is_left;
      exit when not is_left;
      perform pg_sleep(0.1);
    end loop;
  end loop;
end $$;

-- A table with a valid check is not read when its column becomes `not null`, under a lock.
alter table asset_seen drop constraint if exists asset_seen_has_partition;
alter table asset_seen add constraint asset_seen_has_partition check (partition is not null) not valid;
alter table asset_seen validate constraint asset_seen_has_partition;
alter table asset_seen alter column partition set not null;
alter table asset_seen drop constraint asset_seen_has_partition;
alter table finding_seen drop constraint if exists finding_seen_has_partition;
alter table finding_seen add constraint finding_seen_has_partition check (partition is not null) not valid;
alter table finding_seen validate constraint finding_seen_has_partition;
alter table finding_seen alter column partition set not null;
alter table finding_seen drop constraint finding_seen_has_partition;

-- Updates find it filled from here on: a trigger before updates would cost each of them.
create or replace trigger asset_seen_partition before insert on asset_seen
  for each row when (new.partition is null) execute function seen_partition();
create or replace trigger finding_seen_partition before insert on finding_seen
  for each row when (new.partition is null) execute function seen_partition();
