-- Distributes the folded tables over the workers of a Citus cluster (docs/scaling.md, "Citus"). Run it on the
-- coordinator as the owner of the tables, after `posture migrate`, before the first start and after each upgrade:
--   psql "$OWNER_URL" --set ON_ERROR_STOP=1 --file deploy/citus/distribute.sql
-- It skips tables that are distributed already, and moves the rows that exist. `--set shards=64` changes the number of
-- shards of a new cluster, 32 by default; it never changes afterwards.
\if :{?shards}
\else
  \set shards 32
\endif
begin;
set local lock_timeout = '2s';
-- Tables are created and filled one after the other in this transaction.
set local citus.multi_shard_modify_mode = 'sequential';
select set_config('posture.shards', :'shards', true);

do $$
declare
  name text;
  key record;
begin
  -- Each row of these belongs to one partition, and statements of projector, scorer and publisher name it
  -- (test/contracts/one-partition.spec.ts).
  foreach name in array array[
    'assets', 'asset_history', 'asset_scores', 'asset_seen', 'finding_decisions', 'finding_history', 'finding_seen',
    'finding_totals', 'findings', 'history_summaries', 'history_trims', 'projection_positions', 'published_changes',
    'rescorings', 'score_changes', 'score_history', 'score_sums', 'scored_partitions', 'technique_totals',
    'totals_progress', 'upload_progress'
  ] loop
    continue when exists (select from pg_dist_partition where logicalrelid = name::regclass);
    -- Triggers are for projectors of earlier versions, which never wrote to a distributed table.
    for key in select tgname from pg_trigger where tgrelid = name::regclass and not tgisinternal loop
      execute format('drop trigger %I on %I', key.tgname, name);
    end loop;
    -- Citus enforces a key within a shard, so each contains the partition. Asset numbers contain it too, and ids are
    -- made of keys, whose partition never changes: a key is as unique as before. The partition comes last, so that
    -- its index also finds rows by the other columns alone.
    for key in
      select conname, pg_get_constraintdef(c.oid) as definition from pg_constraint c
      where conrelid = name::regclass and contype in ('p', 'u')
        and not exists (select from pg_attribute a
                        where attrelid = conrelid and attname = 'partition' and attnum = any (conkey))
    loop
      execute format('alter table %I drop constraint %I, add constraint %I %s', name, key.conname, key.conname,
                     regexp_replace(key.definition, '\)', ', partition)'));
    end loop;
    if name = 'assets' then
      perform create_distributed_table('assets', 'partition', colocate_with => 'none',
                                       shard_count => current_setting('posture.shards')::integer);
    else
      perform create_distributed_table(name, 'partition', colocate_with => 'assets');
    end if;
  end loop;
  -- Every scorer reads these beside its partition: each machine has a copy. All other tables stay on the coordinator.
  foreach name in array array['acts', 'organization'] loop
    continue when exists (select from pg_dist_partition where logicalrelid = name::regclass);
    perform create_reference_table(name);
  end loop;
end $$;

commit;
