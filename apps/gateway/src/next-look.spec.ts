import { expect, it } from '@jest/globals';
import { NextLook } from './next-look.ts';

/** Whether it looks at an instant, with the result of the look. */
function looking() {
  let elapsed = 0;
  const next = new NextLook(() => elapsed);
  const looks = async (now: number, result: number | null = null): Promise<boolean> => {
    let hasLooked = false;
    await next.ifDue(now, async () => {
      hasLooked = true;
      return result;
    });
    return hasLooked;
  };
  return { next, looks, pass: (ms: number) => (elapsed += ms) };
}

it('looks at first, then when something is due', async () => {
  const { looks } = looking();
  expect(await looks(0, 5_000)).toBe(true);
  expect(await looks(4_999)).toBe(false);
  expect(await looks(5_000, 5_000)).toBe(true);
  expect(await looks(5_000)).toBe(true);
  expect(await looks(1_000_000)).toBe(false);
});

it('looks after 30 seconds at the latest, whatever the clock says', async () => {
  const { looks, pass } = looking();
  expect(await looks(0)).toBe(true);
  pass(29_999);
  expect(await looks(29_999)).toBe(false);
  pass(1);
  expect(await looks(-5)).toBe(true);
  expect(await looks(-5)).toBe(false);
});

it('looks after a change, also one during the look', async () => {
  const { next, looks } = looking();
  expect(await looks(0, 60_000)).toBe(true);
  next.wake();
  expect(await looks(1, 60_000)).toBe(true);
  expect(await looks(2)).toBe(false);
  next.wake();
  await next.ifDue(3, async () => {
    next.wake();
    return 60_000;
  });
  expect(await looks(4, 60_000)).toBe(true);
  expect(await looks(5)).toBe(false);
});

it('looks again after a failure', async () => {
  const { next, looks, pass } = looking();
  expect(await looks(0, 10)).toBe(true);
  const failing = () => Promise.reject(new Error('the database is away'));
  await expect(next.ifDue(10, failing)).rejects.toThrow('away');
  expect(await looks(10)).toBe(true);
  pass(30_000);
  await expect(next.ifDue(11, failing)).rejects.toThrow('away');
  expect(await looks(11)).toBe(true);
});
