import { expect, it } from '@jest/globals';
import { sharedNext } from './shared-next.ts';

/** Asks that end when the test says so. */
function controlled() {
  const asked: { resolve: (value: string) => void; reject: (error: Error) => void }[] = [];
  const ask = sharedNext(
    () => new Promise<string>((resolve, reject) => void asked.push({ resolve, reject })),
  );
  return { asked, ask };
}

it('lets all that call while one runs share the next', async () => {
  const { asked, ask } = controlled();
  const first = ask();
  const later = [ask(), ask()];
  expect(asked).toHaveLength(1);
  asked[0]!.resolve('first');
  expect(await first).toBe('first');
  await Promise.resolve();
  const last = ask();
  expect(asked).toHaveLength(2);
  asked[1]!.resolve('second');
  expect(await Promise.all(later)).toEqual(['second', 'second']);
  await Promise.resolve();
  expect(asked).toHaveLength(3);
  asked[2]!.resolve('third');
  expect(await last).toBe('third');
});

it('asks again after one that failed', async () => {
  const { asked, ask } = controlled();
  const first = ask();
  const second = ask();
  asked[0]!.reject(new Error('away'));
  await expect(first).rejects.toThrow('away');
  await Promise.resolve();
  asked[1]!.resolve('back');
  expect(await second).toBe('back');
});
