import { type Kysely, sql } from 'kysely';
import type { Schema } from '#libs/database';
import type { PastSync } from './next-sync.ts';

/** The schedule ignores older ones. */
const PAST_MAX = 20;

/**
 * The last syncs of each integration by its id, newest first, without failed manual ones, which have no effect on the
 * schedule: any number of them can follow the last automatic one. An integration that has no other is missing.
 */
export async function pastSyncs(
  db: Kysely<Schema>,
  integrationIds: readonly string[],
): Promise<ReadonlyMap<string, PastSync[]>> {
  const { rows } = await sql<PastSync & { integrationId: string }>`
    select asked.id as "integrationId", past.*
      from unnest(${integrationIds}::uuid[]) as asked (id)
     cross join lateral (
       select action, retry, requested_at as "requestedAt", finished_at as "finishedAt",
              status = 2 and cancel_requested_at is null as "hasFailed"
         from syncs where integration_id = asked.id and not (action = 'manual' and status = 2)
        order by requested_at desc, id limit ${PAST_MAX}) past
     order by asked.id, past."requestedAt" desc`.execute(db);
  const past = new Map<string, PastSync[]>();
  for (const { integrationId, ...row } of rows) {
    past.set(integrationId, [...(past.get(integrationId) ?? []), row]);
  }
  return past;
}
