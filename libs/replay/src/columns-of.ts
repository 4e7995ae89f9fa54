import type { Queryable } from './queryable.ts';

/** The columns of a table in their order, without generated columns. */
export async function columnsOf(connection: Queryable, table: string): Promise<string[]> {
  const { rows } = await connection.query(
    `select attname from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''
      order by attnum`,
    [table],
  );
  return rows.map(({ attname }) => attname);
}
