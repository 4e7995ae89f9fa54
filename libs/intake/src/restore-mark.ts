import { type Kysely, sql } from 'kysely';
import type { Schema } from '#libs/database';

/** Is there from the beginning of `posture restore` to its end: no program may start on half a site. */
export const RESTORE_SCHEMA = 'posture_restore';

/** Why no program starts, and no command works, on half a site. */
export const RESTORE_UNFINISHED =
  'A `posture restore` into this database has not ended: wait for it or, if it was interrupted, run the same command again.';

/** Whether a restore into this database has begun and not ended. */
export async function isBeingRestored(db: Kysely<Schema>): Promise<boolean> {
  const { rows } = await sql<{ is_marked: boolean }>`
    select to_regnamespace(${RESTORE_SCHEMA}) is not null as is_marked`.execute(db);
  return rows[0]!.is_marked;
}
