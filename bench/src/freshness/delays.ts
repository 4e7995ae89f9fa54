import type pg from 'pg';
import type { Answered } from './json-client.ts';
import { type LastChange, reachedAt, type Sighting } from './reach.ts';

/** Delays of each upload, in ms. */
export interface Delays {
  /** From sending to the 200. */
  answered: number[];
  /** From the 200; 0 if the findings were visible before it. */
  visible: number[];
  scored: number[];
}

/**
 * Computes the delays of uploads. Call it after all uploads, so that its query does not disturb the measurement.
 */
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
