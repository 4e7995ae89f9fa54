import type pg from 'pg';
import { ASSETS_TOPIC, FINDINGS_TOPIC } from '#libs/contracts';

/** The number of folded log records, over all partitions. */
export async function foldedRecords(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query(
    'select coalesce(sum(next_offset), 0)::float8 as records from projection_positions',
  );
  return rows[0].records;
}

/** Whether every change in the history is published. */
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

/** The number of published changes of findings, over all partitions. */
export async function publishedFindings(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query(
    'select coalesce(sum(sequence), 0)::float8 as changes from published_changes where topic = $1',
    [FINDINGS_TOPIC],
  );
  return rows[0].changes;
}

/** The number of changes of findings in the history, over all partitions. */
export async function findingChanges(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query(
    'select coalesce(sum(finding_sequence), 0)::float8 as changes from projection_positions',
  );
  return rows[0].changes;
}

/** Whether the scores include every change in the history. */
export async function isScored(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query(
    `select bool_and(p.finding_sequence <= coalesce(s.finding_sequence, 0)
                 and p.asset_sequence <= coalesce(s.asset_sequence, 0)) as is
       from projection_positions p left join scored_partitions s using (partition)`,
  );
  return rows[0].is === true;
}

/** Whether every asset is scored by the model, and the scores include every change, also of catalogues. */
export async function isRescored(pool: pg.Pool, model: string): Promise<boolean> {
  const { rows } = await pool.query(
    `select not exists (select from rescorings)
        and not exists (select from scored_partitions where model <> $1) as is`,
    [model],
  );
  return rows[0].is === true && (await isScored(pool));
}
