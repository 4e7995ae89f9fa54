import { describe, expect, it } from '@jest/globals';
import { closedLoop, openLoop } from './paces.ts';

const LONG_S = 600;
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

describe('closedLoop', () => {
  it('sends all items, at most one per lane at a time', async () => {
    let underWay = 0;
    let most = 0;
    const send = async (n: number) => {
      most = Math.max(most, ++underWay);
      await Promise.resolve();
      underWay--;
      return n;
    };
    const answers = await closedLoop(numbers(20).values(), { lanes: 3, seconds: LONG_S }, send);
    expect([answers, most]).toEqual([numbers(20), 3]);
  });

  it('ends when the time is over', async () => {
    const send = async (n: number) => n;
    expect(await closedLoop(numbers(20).values(), { lanes: 3, seconds: 0 }, send)).toEqual([]);
  });
});

describe('openLoop', () => {
  it('does not wait for answers', async () => {
    const waiting: (() => void)[] = [];
    const send = (n: number) =>
      new Promise<number>((resolve) => {
        waiting.push(() => resolve(n));
        if (waiting.length === 5) for (const answer of waiting) answer();
      });
    expect(await openLoop(numbers(5), 1_000_000, send)).toEqual(numbers(5));
  });

  it('reports why a request failed', () =>
    expect(openLoop([1], 1, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused'));

  it('gives up if nothing is answered', () =>
    expect(openLoop(numbers(2_000), 1_000_000, () => new Promise(() => {}))).rejects.toThrow(
      'wait for an answer',
    ));
});
