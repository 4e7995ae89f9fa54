import { longQuery } from './long-query.ts';
import type { Queryable } from './queryable.ts';

/** Uploads that are looked up at once. */
const CHUNK = 10_000;

/** Ids of the uploads whose answers a client may have: all their records were in the log before. */
export const answeredUploads = (connection: Queryable): Promise<string[]> =>
  uploadsWithKeys(connection, `where answer::text <> 'null'`);

/** @param where SQL: of which keys; omitted: of all */
export async function uploadsWithKeys(connection: Queryable, where = ''): Promise<string[]> {
  const { rows } = await connection.query(longQuery(`select upload_id as id from idempotency_keys ${where}`));
  return rows.map(({ id }) => id);
}

/**
 * Ends what the tables outside the log conclude from records that it has lost, once the remaining ones are folded: a
 * client that repeats its upload must not get the former answer, and a sync must not begin behind lost signals.
 * @param answered `answeredUploads` from before the end of the log was read
 */
export async function forgetLost(connection: Queryable, answered: readonly string[]): Promise<void> {
  await forgetAnswers(connection, answered);
  // A watermark belongs to a scope (R-INT-6): the next sync of each integration reads everything.
  await connection.query('update syncs set scope = null where scope is not null');
}

/**
 * Forgets answers to uploads of which folded records are missing. Of an upload that is folded in part, a repeat appends
 * the rest; what is folded already does not count twice (R-FOLD-5). Statements of their own, because Citus joins no
 * table of the coordinator with a divided one.
 */
export async function forgetAnswers(connection: Queryable, uploadIds: readonly string[]): Promise<void> {
  for (let from = 0; from < uploadIds.length; from += CHUNK) {
    const ids = uploadIds.slice(from, from + CHUNK);
    const { rows } = await connection.query(longQuery(PROGRESS, [ids]));
    const found = new Set(rows.map(({ id }) => id));
    const partial = rows.flatMap(({ id, isWhole }) => (isWhole ? [] : [id]));
    const gone = ids.filter((id) => !found.has(id));
    await connection.query(
      longQuery('update idempotency_keys set answer = null where upload_id = any($1::uuid[])', [partial]),
    );
    await connection.query(
      longQuery('delete from idempotency_keys where upload_id = any($1::uuid[])', [gone]),
    );
  }
}

/** Without the first record of an upload, the number of its events is not known. */
const PROGRESS = `
  select upload_id as id, coalesce(sum(seen) >= max((header ->> 'events')::int), false) as "isWhole"
  from upload_progress where upload_id = any($1::uuid[]) group by upload_id`;
