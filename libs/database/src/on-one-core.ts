import { type Kysely, sql, type Transaction } from 'kysely';
import type { Schema } from './schema.ts';

/**
 * Reads in a transaction that takes one of the database's cores at most. For large reads in the background, such as the
 * counts of a page: a parallel query would be faster, but would take all cores from interactive requests.
 */
export const onOneCore = <T>(
  db: Kysely<Schema>,
  read: (trx: Transaction<Schema>) => Promise<T>,
): Promise<T> =>
  db.transaction().execute(async (trx) => {
    await sql`set local max_parallel_workers_per_gather = 0`.execute(trx);
    return read(trx);
  });
