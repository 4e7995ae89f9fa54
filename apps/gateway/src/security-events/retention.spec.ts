import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { HourlyRemoval } from './retention.ts';

const HOUR_MS = 3_600_000;
const START = Date.parse('2026-01-02T00:00:00Z');

let elapsed: number;
beforeEach(() => {
  elapsed = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => elapsed);
});
afterEach(() => {
  jest.restoreAllMocks();
});

describe('the hourly removal', () => {
  it('is repeated while there is more, and then after an hour', async () => {
    let [runs, hasMore] = [0, true];
    const removal = new HourlyRemoval(
      async () => {
        runs += 1;
        return hasMore;
      },
      () => START,
    );
    await removal.ifDue();
    hasMore = false;
    await removal.ifDue();
    await removal.ifDue();
    expect(runs).toBe(2);
    elapsed += HOUR_MS - 1;
    await removal.ifDue();
    expect(runs).toBe(2);
    elapsed += 1;
    await removal.ifDue();
    expect(runs).toBe(3);
  });

  it('is due after an hour although the clock was set back', async () => {
    let now = START;
    const removedAt: number[] = [];
    const removal = new HourlyRemoval(
      async (at) => {
        removedAt.push(at);
        return false;
      },
      () => now,
    );
    await removal.ifDue();
    now -= 24 * HOUR_MS;
    elapsed += HOUR_MS;
    await removal.ifDue();
    expect(removedAt).toEqual([START, now]);
  });
});
