import { describe, expect, it } from '@jest/globals';
import { type LossRanges, lossRangeFinder, lossRangesProblem } from './loss-ranges.ts';

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

describe('the problem of loss ranges', () => {
  const withDepartments = (...byDepartment: LossRanges['byDepartment']) => ({ ...RANGES, byDepartment });
  const finance = RANGES.byDepartment[0]!;

  it.each([
    ['none', RANGES, null],
    ['no department', withDepartments(), null],
    [
      'min above max',
      { ...RANGES, byCriticality: { low: range(2, 1) } },
      'byCriticality.low: min must not be above max',
    ],
    [
      'an amount of 0',
      { ...RANGES, byCriticality: { high: range(0, 1) } },
      'byCriticality.high: min and max must be from 0.01 to 1000000000000000',
    ],
    [
      'a range of a department',
      withDepartments(finance, { department: 'Sales', byCriticality: { info: range(5, 4) } }),
      'byDepartment.1.byCriticality.info: min must not be above max',
    ],
    [
      'a department twice',
      withDepartments(finance, { ...finance, department: 'finance' }),
      'byDepartment.1: a department can be named once',
    ],
    [
      'no range',
      { ...RANGES, byCriticality: {}, byDepartment: [] },
      'byCriticality: at least one range must be set, or lossRanges must be null',
    ],
  ])('%s', (_, given, expected) => {
    expect(lossRangesProblem(given)).toBe(expected);
  });
});
