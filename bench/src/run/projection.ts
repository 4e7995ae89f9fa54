import type pg from 'pg';
import { ASSETS_TOPIC, FINDINGS_TOPIC } from '#libs/contracts';

/** How many log records the projection has behind it, over all partitions. */
export async function foldedRecords(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query(
    'select coalesce(sum(next_offset), 0)::float8 as records from projection_positions',
  );
  return rows[0].records;
}

/** Whether every change in the history is out. */
export async function isPublished(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query(
    `select bool_and(
              p.finding_sequence <= coalesce(f.sequence, 0) and p.asset_sequence <= coalesce(a.sequence, 0)) as is
       from projection_positions p
       left join published_changes f on f.partition = p.partition and f.topic = $1
       left join published_changes a on a.partition = p.partition and a.topic = $2`,
    [FINDINGS_TOPIC, ASSETS_TOPIC],
  );
  return rows[0].is === true;
}

/** How many changes of findings are out, over all partitions. */
export async function publishedFindings(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query(
    'select coalesce(sum(sequence), 0)::float8 as changes from published_changes where topic = $1',
    [FINDINGS_TOPIC],
  );
  return rows[0].changes;
}

/** How many changes of findings were ever written, over all partitions. */
export async function findingChanges(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query(
    'select coalesce(sum(finding_sequence), 0)::float8 as changes from projection_positions',
  );
  return rows[0].changes;
}

/** Whether the scores are those of every change in the history. */
export async function isScored(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query(
    `select bool_and(p.finding_sequence <= coalesce(s.finding_sequence, 0)
                 and p.asset_sequence <= coalesce(s.asset_sequence, 0)) as is
       from projection_positions p left join scored_partitions s using (partition)`,
  );
  return rows[0].is === true;
}
