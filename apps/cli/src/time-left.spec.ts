import { expect, it } from '@jest/globals';
import { timeLeft } from './time-left.ts';

it.each([
  [0, '0 s left'],
  [0.2, '1 s left'],
  [60, '60 s left'],
  [61, '2 min left'],
  [3_600, '60 min left'],
  [3_601, '1 h 1 min left'],
  [11_100, '3 h 5 min left'],
  [86_400, '24 h 0 min left'],
  [187_200, '2 d 4 h left'],
])('says %d seconds as %s', (seconds, text) => {
  expect(timeLeft(seconds)).toBe(text);
});
