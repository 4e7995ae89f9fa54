import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase } from '../../../../test/support/database.ts';
import { HistoryRetentionRepository } from './history-retention.repository.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

it('a long history without changes to remove is skipped in parts', async () => {
  const windows = (limit: number) => new HistoryRetentionRepository(database.db).windows(0, 'va', limit, 2);
  expect(await windows(1_000_000)).toEqual([50_000, 100_000]);
  expect(await windows(60_000)).toEqual([50_000, 60_000]);
  expect(await windows(49_999)).toEqual([]);
});
