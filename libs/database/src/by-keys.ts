import { type QueryExecutorProvider, sql } from 'kysely';

/**
 * The later statements of the transaction look up their rows by keys: PostgreSQL reads no table as a whole. It would
 * while it has no statistics of a young table, since it takes a partition for a few rows of it then.
 */
export async function byKeys(tx: QueryExecutorProvider): Promise<void> {
  await sql`
    /* forbid_table_scans */
    select set_config('enable_seqscan', 'off', true)`.execute(tx);
}
