import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { FindingState } from '#libs/domain';
import { burnDown, burnDownInstants, countStates } from './burn-down.ts';

const DAY_MS = 86_400_000;
const T0 = Date.UTC(2026, 0, 1);

describe('the instants of a burn-down', () => {
  it('are the beginning, the ends of days, and the end', () => {
    const noon = T0 + DAY_MS / 2;
    expect(burnDownInstants(noon, noon + 2 * DAY_MS)).toEqual([
      noon,
      T0 + DAY_MS,
      T0 + 2 * DAY_MS,
      noon + 2 * DAY_MS,
    ]);
    expect(burnDownInstants(noon, noon)).toEqual([noon]);
    expect(burnDownInstants(noon, noon - 1)).toEqual([noon]);
  });

  it('ascend, and are bounded', () => {
    fc.assert(
      fc.property(fc.nat(1e12), fc.nat(1e12), (from, length) => {
        const instants = burnDownInstants(from, from + length);
        expect(instants.length).toBeLessThanOrEqual(369);
        expect(instants.every((at, i) => i === 0 || at > instants[i - 1]!)).toBe(true);
        expect([instants[0], instants.at(-1)]).toEqual([from, from + length]);
      }),
    );
  });
});

describe('a burn-down', () => {
  it('counts open, fixed and accepted findings as they were', () => {
    const findings = [
      {
        first: null,
        changes: [
          { from: 1, value: 'Failed' as const },
          { from: 3, value: 'Qualified' as const },
        ],
      },
      { first: 'Failed' as const, changes: [{ from: 2, value: 'AcceptedFailed' as const }] },
      { first: 'NotAssessed' as const, changes: [{ from: 3, value: 'Retired' as const }] },
    ];
    expect(burnDown(findings, [0, 1, 2, 3])).toEqual([
      { at: 0, open: 2, fixed: 0, accepted: 0 },
      { at: 1, open: 3, fixed: 0, accepted: 0 },
      { at: 2, open: 2, fixed: 0, accepted: 1 },
      { at: 3, open: 0, fixed: 2, accepted: 1 },
    ]);
  });

  it('is at each instant what a look at that instant alone says', () => {
    const state = fc.constantFrom<FindingState>(
      'Failed',
      'NotAssessed',
      'Qualified',
      'Retired',
      'AcceptedFailed',
    );
    const changes = fc
      .array(fc.record({ from: fc.nat(50), value: state }), { maxLength: 8 })
      .map((all) => all.toSorted((a, b) => a.from - b.from));
    const findings = fc.array(fc.record({ first: fc.option(state), changes }), { maxLength: 8 });
    const instants = fc
      .uniqueArray(fc.nat(60), { maxLength: 10 })
      .map((all) => all.toSorted((a, b) => a - b));
    fc.assert(
      fc.property(findings, instants, (given, at) => {
        const alone = at.map((instant) => {
          const states = given.flatMap((one) => {
            const last = one.changes.findLast(({ from }) => from <= instant)?.value ?? one.first;
            return last ?? [];
          });
          return { at: instant, ...countStates(states) };
        });
        expect(burnDown(given, at)).toEqual(alone);
      }),
    );
  });
});
