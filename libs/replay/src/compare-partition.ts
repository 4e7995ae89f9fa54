import { areTotalsExactSql, FOLDED_TABLES, type FoldedTable, SELECT_FINDINGS_TABLE } from '#libs/tables';
import { longQuery } from './long-query.ts';
import type { Queryable } from './queryable.ts';

/** A row that differs from the log. */
export interface Difference {
  table: string;
  /** Key column → value. */
  key: Record<string, unknown>;
  /** Null: the row is missing there. */
  live: Record<string, unknown> | null;
  replayed: Record<string, unknown> | null;
}

export interface Comparison {
  /** Rows of the live tables. */
  rows: number;
  /** All that differ. */
  differing: number;
  /** The first of them. */
  differences: Difference[];
  /** Partitions whose findings are still being counted: their totals were not compared. */
  uncounted: number[];
}

/**
 * Compares the live rows of a partition with those of a shadow, row by row, by checksums within PostgreSQL.
 * @param connection without a `statement_timeout`
 * @param listedMax differences to answer with their rows
 */
export async function comparePartition(
  connection: Queryable,
  schema: string,
  partition: number,
  listedMax: number,
): Promise<Comparison> {
  const comparison: Comparison = { rows: 0, differing: 0, differences: [], uncounted: [] };
  const isCounted = await areTotalsExact(connection, partition);
  if (!isCounted) comparison.uncounted.push(partition);
  for (const table of FOLDED_TABLES) {
    if (table.isCounted && !isCounted) continue;
    const toList = Math.max(0, listedMax - comparison.differences.length);
    const { rows } = await connection.query(longQuery(differingRows(table, schema), [partition, toList]));
    const { live_rows, differing, listed } = rows[0]!;
    comparison.rows += Number(live_rows);
    comparison.differing += Number(differing);
    for (const { key, live, replayed } of listed) {
      comparison.differences.push({ table: table.name, key, live, replayed });
    }
  }
  return comparison;
}

async function areTotalsExact(connection: Queryable, partition: number): Promise<boolean> {
  const table: number = (await connection.query(SELECT_FINDINGS_TABLE)).rows[0]!.table;
  const { rows } = await connection.query(
    longQuery(`select ${areTotalsExactSql('p.partition = $1', table)} as are_exact`, [partition]),
  );
  return rows[0]!.are_exact;
}

/** $1: the partition, $2: rows to list. */
function differingRows(
  { name, key, partition, columns, partlyKnown, uncompared = [] }: FoldedTable,
  schema: string,
): string {
  const omitted = [...(partlyKnown?.columns ?? []), ...uncompared];
  const compared =
    omitted.length > 0
      ? `row(${columns.flatMap((column) => (omitted.includes(column) ? [] : `t.${column}`)).join(', ')})`
      : 't';
  const known = partlyKnown ? partlyKnown.known('t') : 'null';
  const side = (of: string) =>
    `(select ${key.join(', ')}, md5(${compared}::text) as hash, ${known} as known, t as row
        from ${of}.${name} t where ${partition} = $1)`;
  const keyObject = key.map((column) => `'${column}', coalesce(l.${column}, r.${column})`).join(', ');
  return `
    with compared as materialized (
      select jsonb_build_object(${keyObject}) as key, to_jsonb(l.row) as live, to_jsonb(r.row) as replayed
      from ${side('public')} l full join ${side(schema)} r using (${key.join(', ')})
      where l.hash is distinct from r.hash or l.known <> r.known
    )
    select (select count(*) from public.${name} where ${partition} = $1) as live_rows,
           (select count(*) from compared) as differing,
           coalesce((select jsonb_agg(c) from (select * from compared order by key limit $2) c), '[]') as listed`;
}
