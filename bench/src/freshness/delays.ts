import type pg from 'pg';
import type { Answered } from './json-client.ts';
import { type LastChange, reachedAt, type Sighting } from './reach.ts';

/** Of each upload, in ms. */
export interface Delays {
  /** From sending to the 200. */
  answered: number[];
  /** From the 200 on; 0 where it was so before. */
  visible: number[];
  scored: number[];
}

/** When what was uploaded was seen; read once all of it was, so that nothing is asked meanwhile. */
export async function delaysOf(
  pool: pg.Pool,
  uploads: readonly Answered[],
  sightings: readonly Sighting[],
): Promise<Delays> {
  const changesOf = await lastChanges(pool);
  const since = (stage: 'visible' | 'scored') =>
    uploads.map(({ uploadId, answeredAt }) => {
      const changes = changesOf.get(uploadId);
      if (!changes) throw new Error(`the upload ${uploadId} has changed nothing`);
      return Math.max(0, reachedAt(sightings, stage, changes) - answeredAt);
    });
  return {
    answered: uploads.map(({ sentAt, answeredAt }) => answeredAt - sentAt),
    visible: since('visible'),
    scored: since('scored'),
  };
}

async function lastChanges(pool: pg.Pool): Promise<Map<string, LastChange[]>> {
  const { rows } = await pool.query(
    `select cause ->> 'uploadId' as upload, partition, max(sequence)::float8 as sequence
       from finding_history group by upload, partition`,
  );
  const changesOf = new Map<string, LastChange[]>();
  for (const { upload, ...change } of rows) {
    const others = changesOf.get(upload);
    if (others) others.push(change);
    else changesOf.set(upload, [change]);
  }
  return changesOf;
}
