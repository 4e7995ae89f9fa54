import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { afterFailure, noAttempts, RETRY_BOUNDS, type RequestFailure, secondsAsked } from './retry-policy.ts';

describe('retry policy (spec §Errors)', () => {
  it('waits the seconds that a 429 names', () => {
    const next = afterFailure({ kind: 'rateLimited', waitSeconds: 7 }, noAttempts, 0);
    expect(next).toMatchObject({ step: 'wait', ms: 7000 });
  });

  it('signs in anew on a 401, and gives up on a second one in a row', () => {
    const first = afterFailure({ kind: 'unauthorized' }, noAttempts, 0);
    expect(first).toMatchObject({ step: 'signIn' });
    const attempts = first.step === 'signIn' ? first.attempts : noAttempts;
    expect(afterFailure({ kind: 'unauthorized' }, attempts, 0)).toEqual({ step: 'giveUp' });
  });

  it('waits longer after each 5xx, within half of the doubling ceiling', () => {
    for (const random of [0, 0.5, 0.999]) {
      const waits: number[] = [];
      let attempts = noAttempts;
      for (;;) {
        const next = afterFailure({ kind: 'serverError', waitSeconds: 0 }, attempts, random);
        if (next.step !== 'wait') break;
        waits.push(next.ms);
        attempts = next.attempts;
      }
      expect(waits).toHaveLength(RETRY_BOUNDS.failuresMax - 1);
      expect(waits).toEqual([...waits].sort((a, b) => a - b));
      expect(waits[0]).toBeGreaterThanOrEqual(RETRY_BOUNDS.backoffMsMin);
    }
  });

  it('keeps to a longer Retry-After of a 503', () => {
    const next = afterFailure({ kind: 'serverError', waitSeconds: 20 }, noAttempts, 0);
    expect(next).toMatchObject({ step: 'wait', ms: 20_000 });
  });

  it('always ends, whatever the service answers', () => {
    const failure: fc.Arbitrary<RequestFailure> = fc.oneof(
      fc.record({
        kind: fc.constant('rateLimited' as const),
        waitSeconds: fc.integer({ min: 1, max: 9999 }),
      }),
      fc.constant({ kind: 'unauthorized' as const }),
      fc.record({
        kind: fc.constant('serverError' as const),
        waitSeconds: fc.integer({ min: 0, max: 9999 }),
      }),
      fc.constant({ kind: 'connection' as const }),
    );
    fc.assert(
      fc.property(
        fc.infiniteStream(failure),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (failures, r) => {
          let attempts = noAttempts;
          let steps = 0;
          for (const each of failures) {
            const next = afterFailure(each, attempts, r);
            if (next.step === 'giveUp') break;
            attempts = next.attempts;
            expect(++steps).toBeLessThan(
              2 * (RETRY_BOUNDS.rateLimitedMsMax / 1000 + RETRY_BOUNDS.failuresMax),
            );
          }
        },
      ),
      { numRuns: 50 },
    );
  });

  it.each([
    ['12', null, 12],
    ['12', '40', 12],
    ['Too many requests', '40', 40],
    ['Too many requests', 'Wed, 21 Oct 2026 07:28:00 GMT', 1],
    ['0', null, 1],
  ])('reads the seconds of a 429 from message %j and Retry-After %j (D19)', (message, header, seconds) => {
    expect(secondsAsked(message, header)).toBe(seconds);
  });
});
