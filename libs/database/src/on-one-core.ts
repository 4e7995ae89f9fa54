import { type Kysely, sql, type Transaction } from 'kysely';
import type { Schema } from './schema.ts';

/**
 * Reads in a transaction that takes one of the database's cores at most. For what is large and nobody waits for, such
 * as counts beside a page: in parallel it would be done sooner, and keep all cores from what somebody does wait for.
 */
export const onOneCore = <T>(
  db: Kysely<Schema>,
  read: (trx: Transaction<Schema>) => Promise<T>,
): Promise<T> =>
  db.transaction().execute(async (trx) => {
    await sql`set local max_parallel_workers_per_gather = 0`.execute(trx);
    return read(trx);
  });
