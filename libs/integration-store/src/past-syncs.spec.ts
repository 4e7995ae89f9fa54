import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { pastSyncs } from './past-syncs.ts';

const AT = Date.parse('2026-03-02T01:15:00Z');
const MINUTE_MS = 60_000;
const [SUCCESS, RUNNING, FAILED] = [0, 1, 2];

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

async function asked(integrationId: string, minutes: number, action: string, status: number): Promise<void> {
  const at = new Date(AT + minutes * MINUTE_MS);
  await database.pool.query(
    `insert into syncs (id, integration_id, action, is_full, requested_at, finished_at, stage, status)
     values ($1, $2, $3, false, $4, $5, $6, $7)`,
    [
      ...[randomUUID(), integrationId, action, at, status === RUNNING ? null : at],
      ...[status === FAILED ? 'ERROR' : status === RUNNING ? 'QUEUED' : 'COMPLETED', status],
    ],
  );
}

it('finds the last sync that the schedule counts from, behind any number of failed manual ones', async () => {
  const [first, second, never] = [randomUUID(), randomUUID(), randomUUID()];
  await asked(first, -60, 'manual', SUCCESS);
  await asked(first, 0, 'scheduled', FAILED);
  for (let minutes = 1; minutes <= 25; minutes += 1) await asked(first, minutes, 'manual', FAILED);
  await asked(second, 0, 'scheduled', SUCCESS);
  await asked(second, 1, 'manual', RUNNING);
  await asked(never, 0, 'manual', FAILED);
  const past = await pastSyncs(database.db, [first, second, never]);
  expect(past.get(first)![0]).toEqual({
    ...{ action: 'scheduled', retry: 0, hasFailed: true },
    ...{ requestedAt: AT, finishedAt: AT },
  });
  expect(past.get(second)![0]).toMatchObject({ action: 'manual', finishedAt: null, hasFailed: false });
  expect(past.has(never)).toBe(false);
});
