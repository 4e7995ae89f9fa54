import type pg from 'pg';

const TABLES = ['findings', 'finding_seen', 'finding_history'];

/** @throws Error if a table of findings does not contain exactly `findings` rows */
export async function assertStored(pool: pg.Pool, findings: number): Promise<void> {
  for (const table of TABLES) {
    const { rows } = await pool.query(`select count(*)::int as rows from ${table}`);
    if (rows[0].rows !== findings) throw new Error(`${table} has ${rows[0].rows} rows, not ${findings}`);
  }
}
