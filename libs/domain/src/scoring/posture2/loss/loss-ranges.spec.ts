import { describe, expect, it } from '@jest/globals';
import { type LossRanges, lossRangeFinder } from './loss-ranges.ts';

const range = (min: number, max: number) => ({ min, max });
const RANGES: LossRanges = {
  currency: 'EUR',
  byCriticality: { critical: range(10, 100), medium: range(1, 2) },
  byDepartment: [{ department: 'Finance', byCriticality: { critical: range(20, 200), low: range(3, 4) } }],
};

describe('the loss range of an asset', () => {
  it.each([
    ['critical', 'Sales', range(10, 100)],
    ['critical', 'Finance', range(20, 200)],
    ['critical', 'FINANCE', range(20, 200)],
    ['low', 'Finance', range(3, 4)],
    ['low', 'Sales', null],
    ['medium', 'Finance', range(1, 2)],
    [null, 'Sales', range(1, 2)],
    ['info', 'Sales', null],
  ] as const)('of criticality %s in %s', (criticality, department, expected) => {
    expect(lossRangeFinder(RANGES)({ criticality, department })).toEqual(expected);
  });
});
