import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { StoredRecord } from '#libs/event-log';
import { FoldBacklog } from './fold-backlog.ts';

const START = Date.parse('2026-01-02T00:00:00Z');

let now: number;
let elapsed: number;
let backlog: FoldBacklog;
beforeEach(() => {
  now = START;
  elapsed = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => elapsed);
  backlog = new FoldBacklog(() => now);
});

afterEach(() => {
  jest.restoreAllMocks();
});

/** A batch whose last record was stored so long ago. */
const batch = (...agesMs: number[]) => agesMs.map((age) => ({ storedAt: now - age }) as StoredRecord);

describe('the backlog of the fold', () => {
  it('lets publishers work without a rest while the fold keeps up', () => {
    expect(backlog.restAfter(100)).toBe(0);
    backlog.folded(batch(5_000, 900));
    expect(backlog.restAfter(100)).toBe(0);
  });

  it('gives the fold three quarters of the time while it is behind', () => {
    backlog.folded(batch(5_000, 1_001));
    expect(backlog.restAfter(100)).toBe(300);
  });

  it('bounds a rest', () => {
    backlog.folded(batch(60_000));
    expect(backlog.restAfter(10_000)).toBe(1_000);
  });

  it('is over soon after the last late batch, also if the clock is set back', () => {
    backlog.folded(batch(60_000));
    now -= 3_600_000;
    elapsed += 499;
    expect(backlog.restAfter(100)).toBe(300);
    elapsed += 1;
    expect(backlog.restAfter(100)).toBe(0);
  });
});
