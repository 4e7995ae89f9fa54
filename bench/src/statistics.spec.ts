import { describe, expect, it } from '@jest/globals';
import { median, percentile } from './statistics.ts';

const upTo = (n: number) => Array.from({ length: n }, (_, i) => n - i);

describe('percentile', () => {
  it('is the value that so many percent are at or below', () => {
    expect(percentile(upTo(1_000), 99)).toBe(990);
    expect(percentile(upTo(1_000), 50)).toBe(500);
    expect(percentile(upTo(1_000), 100)).toBe(1_000);
  });

  it('is the maximum if there are too few values', () => {
    expect(percentile(upTo(99), 99)).toBe(99);
    expect(percentile([7], 99)).toBe(7);
  });

  it('compares numbers, not their texts', () => expect(median([100, 9, 20])).toBe(20));

  it('says that nothing was measured', () => expect(() => median([])).toThrow('no value was measured'));
});
