-- migration: expands
-- migration: outside a transaction
-- A replay or restore of an earlier version dropped the statistics of migration 0049. Citus takes none of expressions.
do $$
begin
  if to_regclass('pg_dist_partition') is null then
    drop statistics if exists findings_severity_rank;
    create statistics findings_severity_rank on (severity_rank(severity_value)) from findings;
  end if;
end $$;
analyze findings (severity_value);
