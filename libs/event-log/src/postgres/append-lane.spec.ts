import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase } from '../../../../test/support/database.ts';
import { LogUnavailableError } from '../event-log.ts';
import { AppendLane } from './append-lane.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const record = (bytes: number) => ({ key: '', value: Buffer.alloc(bytes), partition: 0 });

describe('AppendLane', () => {
  it('limits waiting calls: further calls are rejected at once, earlier ones are kept', async () => {
    const lane = new AppendLane(database.pool, 'posture.lane', 1_000);
    const inFlight = lane.append([record(900)]);
    const waiting = [lane.append([record(600)]), lane.append([record(400)])];
    await expect(lane.append([record(1)])).rejects.toThrow(LogUnavailableError);
    expect(await Promise.all([inFlight, ...waiting])).toEqual(
      [0, 1, 2].map((offset) => [{ partition: 0, offset }]),
    );
    expect(await lane.append([record(1)])).toEqual([{ partition: 0, offset: 3 }]);
  });

  it('takes a call above the bound if nothing waits', async () => {
    const lane = new AppendLane(database.pool, 'posture.large', 1_000);
    expect(await lane.append([record(5_000)])).toEqual([{ partition: 0, offset: 0 }]);
  });
});
