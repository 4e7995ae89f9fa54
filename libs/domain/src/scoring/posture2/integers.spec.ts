import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { divRounded, productDivided, squareRoot } from './integers.ts';

describe('integer arithmetic', () => {
  it('rounds quotients to nearest, halves up', () => {
    expect([0n, 4n, 5n, 14n, 15n].map((n) => divRounded(n, 10n))).toEqual([0n, 0n, 1n, 1n, 2n]);
    expect(divRounded(3n, 7n)).toBe(0n);
  });

  it('divides products as exact integers do, at halves too', () => {
    expect(productDivided(6_931_471_806, 401_149 * 1e6, 1e15)).toBe(2_780_553);
    expect(productDivided(5, 1e14, 1e15)).toBe(1);
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 92_103_403_720 }),
        fc.integer({ min: 0, max: 13_247_753_400_000 }),
        (a, b) => {
          expect(productDivided(a, b, 1e15)).toBe(Number(divRounded(BigInt(a) * BigInt(b), 10n ** 15n)));
        },
      ),
    );
  });

  it('takes roots to the nearest integer', () => {
    expect([0n, 1n, 2n, 3n, 6n, 7n, 12n, 13n].map(squareRoot)).toEqual([0n, 1n, 1n, 2n, 2n, 3n, 3n, 4n]);
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 36n }), (square) => {
        const root = squareRoot(square);
        // (root ± 1/2)², times 4.
        expect((2n * root + 1n) ** 2n >= 4n * square).toBe(true);
        expect(root === 0n || (2n * root - 1n) ** 2n <= 4n * square).toBe(true);
      }),
    );
  });
});
