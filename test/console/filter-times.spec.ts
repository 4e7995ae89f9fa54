import { describe, expect, it } from '@jest/globals';
import { daysAgo, endOfDay } from '../../apps/console/src/findings/filter-times.ts';

const AS_OF = '2026-03-02T08:30:00.000Z';

describe('times of filters', () => {
  it('count from the displayed time', () => {
    expect(endOfDay(7, AS_OF)).toBe('2026-03-10T00:00:00.000Z');
    const at = new Date(AS_OF);
    const week = new Date(at.getFullYear(), at.getMonth(), at.getDate() - 7);
    expect(daysAgo(7, AS_OF)).toBe(week.toISOString());
  });

  it('count from now if no past time is displayed', () => {
    const day = 86_400_000;
    const before = Date.now();
    const end = Date.parse(endOfDay(0, null));
    expect(end).toBeGreaterThan(before);
    expect(end - Date.now()).toBeLessThanOrEqual(day);
    expect(Date.parse(daysAgo(1, null))).toBeLessThan(before);
  });
});
