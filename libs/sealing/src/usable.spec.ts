import { expect, it } from '@jest/globals';
import { DamagedKeyError, OtherSecretError } from './key-source.ts';
import { usable } from './usable.ts';

const asking = (failing: (one: number) => Error | false) => async (some: readonly number[]) => {
  for (const one of some) {
    const failure = failing(one);
    if (failure) throw failure;
  }
  return some.map((one) => one * 10);
};

it('leaves out what has a damaged key, in the order of the others', async () => {
  const damaged: number[] = [];
  const ask = asking((one) => one % 3 === 0 && new DamagedKeyError(`${one}`));
  expect(await usable([1, 2, 3, 4, 5, 6, 7], ask, (one) => damaged.push(one))).toEqual([10, 20, 40, 50, 70]);
  expect(damaged).toEqual([3, 6]);
  expect(await usable([3], ask)).toEqual([]);
});

it('fails with any other error', async () => {
  const ask = asking((one) => one === 2 && new OtherSecretError('another secret'));
  await expect(usable([1, 2, 3], ask)).rejects.toThrow(OtherSecretError);
});
