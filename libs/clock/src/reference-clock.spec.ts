import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ReferenceClock } from './reference-clock.ts';

const T0 = Date.parse('2026-06-01T00:00:00Z');

describe('ReferenceClock', () => {
  it('is continued by monotonic time while the database is unavailable', () => {
    let monotonic = 1_000;
    const reference = new ReferenceClock(() => monotonic);
    expect(reference.now()).toBeNaN();
    reference.take(T0, 998, 1_002);
    monotonic += 3_600_000;
    expect(reference.now()).toBe(T0 + 3_600_000);
  });

  it('has an error of at most half the response time, however slow later responses are', () => {
    const look = fc.record({ wait: fc.nat(5_000), there: fc.nat(3_000), back: fc.nat(3_000) });
    fc.assert(
      fc.property(fc.array(look, { minLength: 1, maxLength: 20 }), (looks) => {
        let monotonic = 0;
        const reference = new ReferenceClock(() => monotonic);
        let best = Number.POSITIVE_INFINITY;
        for (const { wait, there, back } of looks) {
          const asked = monotonic + wait;
          reference.take(T0 + asked + there, asked, asked + there + back);
          monotonic = asked + there + back;
          best = Math.min(best + (wait + there + back) * 1e-4, (there + back) / 2);
          expect(Math.abs(reference.now() - (T0 + monotonic))).toBeLessThanOrEqual(best + 1);
        }
      }),
    );
  });

  it('follows the clock of the database when that is changed', () => {
    const reference = new ReferenceClock(() => 10_000);
    reference.take(T0, 0, 2);
    reference.take(T0 + 40_000, 9_000, 10_000);
    expect(reference.now()).toBe(T0 + 40_500);
  });
});
