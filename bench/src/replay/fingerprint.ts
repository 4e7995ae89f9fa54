import type pg from 'pg';
import { FOLDED_TABLES } from '#libs/tables';

export interface Fingerprint {
  /** Equal if every folded table has the same rows, in any order. */
  rows: string;
  /** Changes if tables were replaced, with any content. */
  tables: string;
}

export async function fingerprintOf(pool: pg.Pool): Promise<Fingerprint> {
  const rows: string[] = [];
  const tables: string[] = [];
  for (const { name } of FOLDED_TABLES) {
    const { rows: found } = await pool.query(
      `select count(*) || ':' || coalesce(sum(hashtextextended(t::text, 0)), 0) as rows,
              '${name}'::regclass::oid::text as table
         from ${name} t`,
    );
    rows.push(found[0].rows);
    tables.push(found[0].table);
  }
  return { rows: rows.join(' '), tables: tables.join(' ') };
}
