import { describe, expect, it } from '@jest/globals';
import { newlyFound } from './look.ts';

const WINDOW = [10, 20] as const;
const look = (...times: number[]) => ({
  findings: times.map((at) => ({ id: `at ${at}`, at })),
  isWhole: true,
});
const earlier = (...times: number[]) => ({ findings: times.map((at) => `at ${at}`), isWhole: true });

describe('what a look finds', () => {
  it('is new if the look before did not find it, whatever its time', () => {
    expect(newlyFound(look(1, 15, 19), earlier(15), WINDOW)).toEqual(['at 1', 'at 19']);
    expect(newlyFound(look(1, 15), earlier(15, 1, 3), WINDOW)).toEqual([]);
  });

  it('is new at the first look if its time is after the one instant and until the other', () => {
    expect(newlyFound(look(1, 10, 11, 20, 21), undefined, WINDOW)).toEqual(['at 11', 'at 20']);
  });

  it('is new by its time where either look found more than it read: its limit moves findings in and out', () => {
    const cut = <T extends object>(one: T) => ({ ...one, isWhole: false });
    expect(newlyFound(cut(look(1, 15)), earlier(), WINDOW)).toEqual(['at 15']);
    expect(newlyFound(look(1, 15), cut(earlier()), WINDOW)).toEqual(['at 15']);
  });
});
