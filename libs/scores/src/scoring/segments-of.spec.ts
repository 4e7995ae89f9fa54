import { describe, expect, it } from '@jest/globals';
import type { posture2 } from '#libs/domain';
import { type PastFinding, segmentsOf } from './segments-of.ts';

const FACTS = {} as posture2.AssessedFinding;
const NEVER = Number.POSITIVE_INFINITY;

const change = (at: number, given: Partial<PastFinding> = {}): PastFinding => ({
  ...{ at, expiredAt: null, reason: null, facts: FACTS },
  ...given,
});

const endsOf = (history: PastFinding[]) =>
  segmentsOf(history, 99).map(({ from, value }) => [from, value.activeUntil]);

describe('the segments of a finding', () => {
  it('end when the next change says so, the last one with its present state', () => {
    const history = [change(1), change(2, { expiredAt: 2 }), change(7, { expiredAt: 5 }), change(8)];
    expect(endsOf(history)).toEqual([
      [1, 2],
      [2, 5],
      [7, NEVER],
      [8, 99],
    ]);
  });

  it('are not ended by the end of an acceptance, but by the change after it', () => {
    const ended = (at: number) => change(at, { expiredAt: at, reason: 'acceptanceEnded' });
    expect(endsOf([change(1), ended(2), change(3, { expiredAt: 3 }), ended(4)])).toEqual([
      [1, 3],
      [2, 3],
      [3, NEVER],
      [4, 99],
    ]);
  });

  it('are computed in a moment, also of many changes', () => {
    const history = Array.from({ length: 50_000 }, (_, at) => change(at, { reason: 'acceptanceEnded' }));
    const begun = performance.now();
    expect(segmentsOf(history, 99)).toHaveLength(50_000);
    expect(performance.now() - begun).toBeLessThan(1_000);
  });
});
