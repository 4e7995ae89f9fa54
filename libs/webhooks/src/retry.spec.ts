import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isExhausted, RETRY_POLICY, retryDelayMs } from './retry.ts';

const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('the wait before the next attempt', () => {
  const bounds = Array.from({ length: 14 }, (_, i) => retryDelayMs(RETRY_POLICY, i + 1, 1, null) / 1000);

  it('doubles from 5 seconds up to an hour', () => {
    expect(bounds).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600, 3600, 3600]);
  });

  it('is in the upper half of its bound, and never below `Retry-After` (property)', () => {
    const asked = fc.option(fc.nat({ max: RETRY_POLICY.askedMsMax * 2 }));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000 }), chance, asked, (attempts, random, askedMs) => {
        const { firstMs, longestMs, askedMsMax } = RETRY_POLICY;
        const bound = Math.min(longestMs, firstMs * 2 ** (attempts - 1));
        const delay = retryDelayMs(RETRY_POLICY, attempts, random, askedMs);
        const least = Math.max(bound / 2, Math.min(askedMs ?? 0, askedMsMax));
        expect(delay).toBeGreaterThanOrEqual(Math.floor(least));
        expect(delay).toBeLessThanOrEqual(Math.max(bound, least + firstMs));
      }),
    );
  });

  it('is given up neither after a short time nor after few attempts', () => {
    const { attemptsMin, retryMsMin } = RETRY_POLICY;
    expect(isExhausted(RETRY_POLICY, 1_000, retryMsMin - 1)).toBe(false);
    // As after days in which nothing of the service ran.
    expect(isExhausted(RETRY_POLICY, attemptsMin - 1, retryMsMin * 10)).toBe(false);
    expect(isExhausted(RETRY_POLICY, attemptsMin, retryMsMin)).toBe(true);
  });
});
