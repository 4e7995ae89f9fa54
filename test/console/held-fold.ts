import { openDatabase } from '#libs/database';

/** Resumes what is paused. */
export type Release = () => Promise<void>;

/**
 * Pauses the fold of some partitions, as a busy database would: their events wait on the log.
 * @param partitions as a condition in SQL, such as `partition % 2 = 0`
 */
export const holdFold = (databaseUrl: string, partitions = 'true'): Promise<Release> =>
  hold(databaseUrl, `select from projection_positions where ${partitions} for update`);

/** Pauses the scorer. */
export const holdScorer = (databaseUrl: string): Promise<Release> =>
  hold(databaseUrl, 'lock table scored_partitions in exclusive mode');

async function hold(databaseUrl: string, statement: string): Promise<Release> {
  const database = openDatabase(databaseUrl, { max: 1 });
  const client = await database.pool.connect();
  await client.query('set idle_in_transaction_session_timeout = 0');
  await client.query('begin');
  await client.query(statement);
  return async () => {
    await client.query('rollback');
    client.release();
    await database.close();
  };
}
