import { type RawBuilder, sql } from 'kysely';
import { type FoldedTableName, foldedTable } from '#libs/tables';

/** The columns that are written, for the list of a select. */
export const columnList = (table: FoldedTableName): RawBuilder<unknown> =>
  sql.raw(foldedTable(table).columns.join(', '));

/** A table with its columns, as an insert names them. */
export const withColumns = (table: FoldedTableName): RawBuilder<unknown> =>
  sql`${sql.raw(table)} (${columnList(table)})`;

/**
 * Ends an insert: an existing row gets the new values of the columns that can change. It names the key, which on a
 * partitioned or distributed table also has the partition.
 */
export function onConflictUpdate(table: FoldedTableName): RawBuilder<unknown> {
  const { columns, key, fixed = [] } = foldedTable(table);
  const changing = columns.filter((column) => !key.includes(column) && !fixed.includes(column));
  const values = changing.map((column) => `${column} = excluded.${column}`);
  return sql.raw(`on conflict on constraint ${table}_pkey do update set ${values.join(', ')}`);
}
