import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type AttemptFailure, afterFailure, noAttempts, RETRY_BOUNDS } from './retry-policy.ts';

describe('retry policy (R-CLI-4)', () => {
  it.each([
    [7, 7_000],
    [0, 1_000],
    [null, 1_000],
    [9_999, RETRY_BOUNDS.waitMsMax],
  ])('waits the seconds that a 429 names (%j)', (retryAfter, ms) => {
    expect(afterFailure({ status: 429, retryAfter }, noAttempts, 0)).toMatchObject({ ms });
  });

  it('waits longer after each 5xx, within half of the doubling ceiling', () => {
    for (const random of [0, 0.5, 0.999]) {
      const waits: number[] = [];
      let attempts = noAttempts;
      for (;;) {
        const next = afterFailure({ status: 500, retryAfter: null }, attempts, random);
        if (next === null) break;
        waits.push(next.ms);
        attempts = next.attempts;
      }
      expect(waits).toHaveLength(RETRY_BOUNDS.failuresMax - 1);
      expect(waits).toEqual([...waits].sort((a, b) => a - b));
      expect(waits[0]).toBeGreaterThanOrEqual(RETRY_BOUNDS.backOff.firstMs / 2);
    }
  });

  it('keeps to a longer Retry-After of a 503', () => {
    expect(afterFailure({ status: 503, retryAfter: 20 }, noAttempts, 0)).toMatchObject({ ms: 20_000 });
  });

  it('always ends, for all responses of the service', () => {
    const failure: fc.Arbitrary<AttemptFailure> = fc.record({
      status: fc.constantFrom(429, 500, 503, null),
      retryAfter: fc.option(fc.integer({ min: 0, max: 9999 })),
    });
    fc.assert(
      fc.property(
        fc.infiniteStream(failure),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (failures, random) => {
          let attempts = noAttempts;
          let steps = 0;
          for (const each of failures) {
            const next = afterFailure(each, attempts, random);
            if (next === null) break;
            attempts = next.attempts;
            expect(++steps).toBeLessThan(RETRY_BOUNDS.rateLimitedMsMax / 1000 + RETRY_BOUNDS.failuresMax);
          }
        },
      ),
      { numRuns: 50 },
    );
  });
});
