import { expect, it } from '@jest/globals';
import { retrySecondsOf } from '../../apps/console/src/parts/retry-seconds.ts';

it.each([
  [{ message: '5', retryIn: 7 }, 7],
  [{ message: '5' }, 5],
  [{ message: '0' }, 1],
  [{ message: 'rate limited', retryIn: 3 }, 3],
  [{ message: 'rate limited' }, undefined],
  [{ message: '' }, undefined],
  [{ message: '1.5' }, undefined],
])('%j can be tried again after %s s', (refusal, seconds) => {
  expect(retrySecondsOf(refusal)).toBe(seconds);
});
