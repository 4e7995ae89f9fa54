import { longQuery } from './long-query.ts';
import type { Queryable } from './queryable.ts';

/**
 * Ends what the tables outside the log conclude from records that it has lost, once the remaining ones are folded: a
 * client that repeats its upload must not get the former answer, and a sync must not begin behind lost signals. Uploads
 * in progress go on.
 */
export async function forgetLost(connection: Queryable): Promise<void> {
  for (const statement of forgottenAnswers('answer is not null')) {
    await connection.query(longQuery(statement));
  }
  await connection.query(NO_WATERMARKS);
}

/** Of an upload whose first record is lost, the number of events is not known. */
const MAX_INTEGER = 2_147_483_647;

/**
 * SQL: forgets answers to uploads of which folded records are missing. Of an upload that is folded in part, a repeat
 * appends the rest; what is folded already does not count twice (R-FOLD-5).
 * @param condition SQL: of which keys
 */
export const forgottenAnswers = (condition: string): string[] => [
  `update idempotency_keys k set answer = null
    where ${condition} and (
      select sum(p.seen) < coalesce(max((p.header ->> 'events')::int), ${MAX_INTEGER})
      from upload_progress p where p.upload_id = k.upload_id)`,
  `delete from idempotency_keys k
    where ${condition} and not exists (select from upload_progress p where p.upload_id = k.upload_id)`,
];

/** A watermark belongs to a scope (R-INT-6): the next sync of each integration reads everything. */
const NO_WATERMARKS = 'update syncs set scope = null where scope is not null';
