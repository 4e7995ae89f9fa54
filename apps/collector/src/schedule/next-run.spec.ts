import { describe, expect, it } from '@jest/globals';
import { nextRun } from './next-run.ts';

describe('every N days at 01:15 UTC (spec §Limits)', () => {
  it.each([
    ['the day after, whenever it was', '2026-03-02T00:00:00Z', 1, '2026-03-03T01:15:00Z'],
    ['the day after a run itself', '2026-03-02T01:15:00Z', 1, '2026-03-03T01:15:00Z'],
    ['the day after late at night', '2026-03-02T23:59:59Z', 1, '2026-03-03T01:15:00Z'],
    ['a week later, over the end of a month', '2026-02-27T12:00:00Z', 7, '2026-03-06T01:15:00Z'],
  ])('%s', (_, last, days, next) => {
    expect(new Date(nextRun(Date.parse(last), days)).toISOString()).toBe(new Date(next).toISOString());
  });
});
