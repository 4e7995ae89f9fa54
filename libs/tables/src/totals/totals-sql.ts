/*
 * SQL of the tables of migration 0046, as text: the projector, the replay and the gateway use it with different drivers.
 */

/** Key of a group of `finding_totals`. */
export const groupKeySql = (assetType: string, department: string): string =>
  `md5(length(${assetType}) || ' ' || ${assetType} || ${department})::uuid`;

/** Number of the table that the names of this session mean: a replay folds into a table of its own. */
export const FINDINGS_TABLE_SQL = `to_regclass('findings')::oid`;

/**
 * Whether the totals are exact: all findings are counted, up to the position of each partition.
 * @param ofPartition SQL condition on a position `p`; omitted: of all partitions
 */
export const areTotalsExactSql = (ofPartition = 'true'): string => `
  not exists (
    select 1 from projection_positions p
    left join totals_progress t
      on t.partition = p.partition and t.findings_table = ${FINDINGS_TABLE_SQL}
        and t.next_offset = p.next_offset and t.counted_assets is null
    where ${ofPartition} and t.partition is null)`;
