import { expect, it } from '@jest/globals';
import { placed } from '../../apps/console/src/settings/ordered-rows.ts';

const rows = [1, 2, 3].map((id) => ({ id }));

it.each([
  [-1, [9, 1, 2, 3]],
  [0, [9, 1, 2, 3]],
  [1, [1, 9, 2, 3]],
  [7, [1, 2, 3, 9]],
])('a new row at index %i is in the list as %j', (at, ids) => {
  expect(placed(rows, { id: 9 }, at).map(({ id }) => id)).toEqual(ids);
});

it('a row that moves beyond the beginning is the first', () => {
  expect(placed(rows, { id: 3 }, -2)).toEqual([{ id: 3 }, { id: 1 }, { id: 2 }]);
});
