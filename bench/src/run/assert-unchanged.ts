import type pg from 'pg';

/**
 * @param findings number of findings in the uploads, all of them known before
 * @throws Error if the fold did not count each of them as unchanged, or did not update when it was last seen
 */
export async function assertUnchanged(pool: pg.Pool, uploads: string[], findings: number): Promise<void> {
  const { rows } = await pool.query(COUNTS, [uploads]);
  const { seen, ...counts } = rows[0];
  const expected = { created: 0, updated: 0, unchanged: findings, retired: 0 };
  for (const [outcome, count] of Object.entries(expected)) {
    if (counts[outcome] !== count) {
      throw new Error(`${counts[outcome]} findings were counted as ${outcome}, not ${count}`);
    }
  }
  if (seen !== findings) throw new Error(`${seen} findings were seen again, not ${findings}`);
}

const COUNTS = `
  select sum((counts->>'created')::int)::int as created, sum((counts->>'updated')::int)::int as updated,
         sum((counts->>'unchanged')::int)::int as unchanged, sum((counts->>'retired')::int)::int as retired,
         (select count(*)::int from finding_seen where stamp_upload = any($1::uuid[])) as seen
    from upload_progress where upload_id = any($1::uuid[])`;
