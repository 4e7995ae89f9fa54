import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { posture2 } from '#libs/domain';
import { RetryLaterException } from '../http/http-errors.ts';
import { LossSlot } from './loss-slot.ts';

const ASSETS = [
  { id: 'a', hazard: 0.5, range: { min: 1, max: 9 } },
  { id: 'b', hazard: 0.1, range: null },
];

afterEach(() => {
  jest.restoreAllMocks();
});

describe('the slot of simulations', () => {
  it('simulates the same years, and answers others meanwhile', async () => {
    let answered = 0;
    // Every look at the clock finds a slice that has ended.
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => (now += 21));
    const other = setInterval(() => answered++, 0);
    const years = await new LossSlot().run((simulate) => simulate('key', ASSETS, 9n, 500));
    clearInterval(other);
    expect(years).toEqual(posture2.simulateYears(ASSETS, 9n, 500));
    expect(answered).toBeGreaterThan(0);
  });

  it('ends a simulation that takes too long, and is free again', async () => {
    const slot = new LossSlot();
    let now = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => (now += 10_000));
    await expect(slot.run((simulate) => simulate('key', ASSETS, 9n, 500))).rejects.toThrow(
      RetryLaterException,
    );
    clock.mockRestore();
    expect(await slot.run((simulate) => simulate('key', ASSETS, 9n, 5))).toHaveLength(5);
  });

  it('counts the time of all simulations of a turn, but not that of what is read before', async () => {
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const simulated = new LossSlot().run(async (simulate) => {
      now += 100_000;
      expect(await simulate('first', ASSETS, 9n, 5)).toHaveLength(5);
      now += 59_000;
      expect(await simulate('second', ASSETS, 9n, 5)).toHaveLength(5);
      now += 2_000;
      return simulate('third', ASSETS, 9n, 5);
    });
    await expect(simulated).rejects.toThrow(RetryLaterException);
  });

  it('continues a repeated request where it ended', async () => {
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const slot = new LossSlot();
    const request = () =>
      slot.run(async (simulate) => {
        const ends = [];
        for (const [place, key] of ['a', 'b', 'c', 'd', 'e'].entries()) {
          ends.push((await simulate(key, ASSETS, BigInt(place), 5)).at(-1));
          now += 25_000;
        }
        return ends;
      });
    await expect(request()).rejects.toThrow(RetryLaterException);
    const seeds = [0n, 1n, 2n, 3n, 4n];
    expect(await request()).toEqual(seeds.map((seed) => posture2.simulateYears(ASSETS, seed, 5).at(-1)));
  });

  it('runs one at a time, and refuses more than may wait', async () => {
    const slot = new LossSlot();
    const ends: (() => void)[] = [];
    let running = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, ++running);
      await new Promise<void>((end) => ends.push(end));
      running--;
    };
    const taken = Array.from({ length: 5 }, () => slot.run(work));
    await new Promise(setImmediate);
    await expect(slot.run(work)).rejects.toThrow(RetryLaterException);
    for (let done = 0; done < 5; done++) {
      while (ends.length === 0) await new Promise(setImmediate);
      ends.pop()!();
    }
    await Promise.all(taken);
    expect(most).toBe(1);
  });

  it('keeps results by their key', () => {
    const slot = new LossSlot();
    const result = slot.keep('a key', { loss: 1 });
    expect([slot.known('a key'), slot.known('another')]).toEqual([result, undefined]);
  });
});
