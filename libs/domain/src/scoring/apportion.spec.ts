import { describe, expect, it } from '@jest/globals';
import { apportion } from './apportion.ts';
import { shapley } from './explain/shapley.ts';
import { signedParts } from './explain/signed-parts.ts';

describe('apportion', () => {
  const parts = (total: number, weights: Record<string, number>) =>
    Object.fromEntries(
      apportion(
        total,
        Object.entries(weights).map(([id, weight]) => ({ id, weight })),
      ),
    );

  it('gives the greatest remainders what rounding down left, ties to the smaller id', () => {
    expect(parts(100, { a: 1, b: 1, c: 1 })).toEqual({ a: 34, b: 33, c: 33 });
    expect(parts(100, { c: 1, b: 1, a: 1 })).toEqual({ a: 34, b: 33, c: 33 });
    expect(parts(7, { a: 10, b: 0, c: 4 })).toEqual({ a: 5, b: 0, c: 2 });
  });

  it('gives nothing without weights, and nothing of nothing', () => {
    expect(parts(5, { a: 0, b: 0 })).toEqual({ a: 0, b: 0 });
    expect(parts(0, { a: 3 })).toEqual({ a: 0 });
    expect(parts(5, {})).toEqual({});
  });
});

describe('signedParts', () => {
  it('adds up to the total, also if rises and falls meet or the amounts do not add up to it', () => {
    expect(signedParts(0, [-1.5, 1.5])).toEqual([-1, 1]);
    expect(signedParts(3, [1.2, 1.2, 0.6])).toEqual([1, 1, 1]);
    expect(signedParts(-3, [-0.4])).toEqual([-3]);
    expect(signedParts(5, [0.1, 0.2])).toEqual([2, 3]);
    expect(signedParts(0, [])).toEqual([]);
    expect(signedParts(0, [-0, -0.2])).toEqual([0, 0]);
  });

  it('gives the remainder to the earlier of two with equal fractions', () => {
    expect(signedParts(4, [1.5, 1.5, 0.5, 0])).toEqual([2, 2, 0, 0]);
    expect(signedParts(3, [0.5, 0.25, 0.5, 0.5, 0.5])).toEqual([1, 0, 1, 1, 0]);
  });
});

describe('shapley', () => {
  it('gives single changes their own effect, and divides their joint effect', () => {
    expect(shapley((a, f) => 3 * a - 2 * f)).toEqual({ asset: 3, findings: -2, catalogue: 0 });
    expect(shapley((a, f) => 10 * a * f)).toEqual({ asset: 5, findings: 5, catalogue: 0 });
    const three = shapley((a, f, c) => 6 * a * f * c);
    expect(three).toEqual({ asset: 2, findings: 2, catalogue: 2 });
  });
});
