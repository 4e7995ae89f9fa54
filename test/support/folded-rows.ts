import { FOLDED_TABLES } from '#libs/tables';
import type { TestDatabase } from './database.ts';

/** A row of a folded table. */
export interface FoldedRow {
  table: string;
  row: Record<string, unknown>;
}

/** Every folded row of a database, table by table and by key; times in UTC for any time zone of the server. */
export async function foldedRows({ pool }: Pick<TestDatabase, 'pool'>): Promise<FoldedRow[]> {
  const connection = await pool.connect();
  try {
    await connection.query(`set time zone 'UTC'`);
    const rows: FoldedRow[] = [];
    for (const { name, key } of FOLDED_TABLES) {
      const found = await connection.query(
        `select to_jsonb(t)::text as row from ${name} t order by ${key.join(', ')}`,
      );
      rows.push(...found.rows.map(({ row }) => ({ table: name, row: JSON.parse(row) })));
    }
    return rows;
  } finally {
    connection.release(true);
  }
}

/** Leaves a database as if nothing had ever been folded into it. Of a few rows, thirty times quicker than truncate. */
export async function emptyFolded({ pool }: Pick<TestDatabase, 'pool'>): Promise<void> {
  const tables = [...FOLDED_TABLES.map(({ name }) => name), 'totals_progress'];
  await pool.query(tables.map((name) => `delete from ${name}`).join(';'));
}
