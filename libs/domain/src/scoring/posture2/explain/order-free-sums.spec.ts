import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { OrderFreeSums } from './order-free-sums.ts';

const sumOf = (values: readonly number[]) => {
  const sums = new OrderFreeSums(1);
  for (const value of values) sums.addAll(Float64Array.of(value));
  return sums.at(0);
};

describe('order-free sums', () => {
  it('are the same in any order, and exact up to half a unit a summand', () => {
    const numbers = fc.array(fc.double({ min: -1e16, max: 1e16, noNaN: true }), { maxLength: 50 });
    fc.assert(
      fc.property(numbers, fc.nat(), (values, seed) => {
        const shuffled = values
          .map((value, i) => ({ value, key: Math.sin(seed + i * 7.3) }))
          .sort((a, b) => a.key - b.key)
          .map(({ value }) => value);
        expect(sumOf(shuffled)).toBe(sumOf(values));
        expect(Math.abs(sumOf([...values, ...values.map((value) => -value)]))).toBeLessThanOrEqual(
          values.length * 2 ** -44,
        );
      }),
    );
  });

  it('keep small summands beside great ones', () => {
    expect(sumOf([1e16, 2 ** -40, -1e16])).toBe(2 ** -40);
    expect(sumOf([1e16, 0.1, -1e16])).toBeCloseTo(0.1, 12);
  });
});
