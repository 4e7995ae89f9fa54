/*
 * SQL of the tables of migration 0046, as text: the projector, the replay and the gateway use it with different drivers.
 */

/** Key of a group of `finding_totals`. */
export const groupKeySql = (assetType: string, department: string): string =>
  `md5(length(${assetType}) || ' ' || ${assetType} || ${department})::uuid`;

/**
 * Number of the table that the names of this session mean: a replay folds into a table of its own. If PostgreSQL is
 * divided over machines, only the changes of a row may contain this; for reads, `SELECT_FINDINGS_TABLE` asks for it
 * before, because each machine has another number.
 */
export const FINDINGS_TABLE_SQL = `to_regclass('findings')::oid`;

/** Statement that reads it as the number `table`. */
export const SELECT_FINDINGS_TABLE = `select ${FINDINGS_TABLE_SQL}::bigint as "table"`;

/**
 * Whether the totals are exact: all findings are counted, up to the position of each partition.
 * @param ofPartition SQL condition on a position `p`; omitted: of all partitions
 * @param findingsTable of `SELECT_FINDINGS_TABLE`; omitted: correct on one machine
 */
export const areTotalsExactSql = (
  ofPartition = 'true',
  findingsTable: number | string = FINDINGS_TABLE_SQL,
): string => `
  not exists (
    select 1 from projection_positions p
    left join totals_progress t
      on t.partition = p.partition and t.findings_table = ${findingsTable}
        and t.next_offset = p.next_offset and t.counted_assets is null
    where ${ofPartition} and t.partition is null)`;
