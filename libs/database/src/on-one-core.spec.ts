import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { onOneCore } from './on-one-core.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const workers = sql<{
  workers: string;
}>`select current_setting('max_parallel_workers_per_gather') as workers`;

it('runs a statement without parallel workers, and restores the connection', async () => {
  const before = await workers.execute(database.db);
  expect(before.rows[0]!.workers).not.toBe('0');
  const within = await onOneCore(database.db, (trx) => workers.execute(trx));
  expect(within.rows[0]!.workers).toBe('0');
  expect((await workers.execute(database.db)).rows).toEqual(before.rows);
});
