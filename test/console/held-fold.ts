import { openDatabase } from '#libs/database';

/** Resumes the fold. */
export type Release = () => Promise<void>;

/**
 * Pauses the fold of some partitions, as a busy database would: their events wait on the log.
 * @param partitions as a condition in SQL, such as `partition % 2 = 0`
 */
export async function holdFold(databaseUrl: string, partitions = 'true'): Promise<Release> {
  const database = openDatabase(databaseUrl, { max: 1 });
  const client = await database.pool.connect();
  await client.query('set idle_in_transaction_session_timeout = 0');
  await client.query('begin');
  await client.query(`select from projection_positions where ${partitions} for update`);
  return async () => {
    await client.query('rollback');
    client.release();
    await database.close();
  };
}
