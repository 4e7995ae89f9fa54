import { expect, it } from '@jest/globals';
import { rangeOf } from './range.ts';

it('contains the least and the greatest value', () => {
  expect(rangeOf([3, 1, 2])).toEqual({ min: 1, max: 3 });
  expect(rangeOf([5])).toEqual({ min: 5, max: 5 });
});

it('is not there if nothing was measured', () => {
  expect(() => rangeOf([])).toThrow(RangeError);
});
