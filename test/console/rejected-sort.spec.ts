import { expect, it } from '@jest/globals';
import { rejectedSort } from '../../apps/console/src/parts/rejected-sort.ts';

const LONG = 'sort: with asOf, at most 50000 findings can be sorted: omit sort';
const LIMITED =
  'sort: with asOf, lists cannot be sorted by a caller that is limited to departments or locations';

it.each([
  [400, LONG, 'tooLong'],
  [403, LIMITED, 'limited'],
  [403, 'this operation is not available', null],
  [400, 'sort must be one of name', null],
  [500, LONG, null],
])('a %i with %j is about the order of a past list: %s', (statusCode, message, why) => {
  expect(rejectedSort({ statusCode, message, error: '' })).toBe(why);
});

it('no error, or no response, is not about it', () => {
  expect([null, new Error(LONG)].map(rejectedSort)).toEqual([null, null]);
});
