import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { instant } from './instant.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

it.each([
  '2026-01-31T12:00:00.001Z',
  '0001-01-01T00:00:00.000Z',
  '0000-12-31T23:00:00.000Z',
  '-000001-02-28T00:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
  '+010000-01-01T04:59:59.000Z',
  '+012345-06-07T08:09:10.011Z',
])('%s is returned unchanged', async (iso) => {
  const ms = Date.parse(iso);
  const { rows } = await sql<{ at: number }>`select ${instant(ms)} as at`.execute(database.db);
  expect(rows).toEqual([{ at: ms }]);
});
