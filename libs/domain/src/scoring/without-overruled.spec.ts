import { expect, it } from '@jest/globals';
import { withoutOverruled } from './without-overruled.ts';

it('leaves out changes that a later one overrules', () => {
  const changes = [1, 2, 9, 5].map((from) => ({ from, value: `since ${from}` }));
  expect(withoutOverruled(changes)).toEqual([changes[0], changes[1], changes[3]]);
  expect(withoutOverruled(changes.slice(0, 3))).toEqual(changes.slice(0, 3));
});
