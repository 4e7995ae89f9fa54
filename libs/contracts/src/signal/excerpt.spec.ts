import { describe, expect, it } from '@jest/globals';
import { excerptOf } from './excerpt.ts';

const numbered = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]));

describe('excerptOf', () => {
  it('keeps the start of every list and tag map, at every depth, so that errors stay few', () => {
    const many = Array.from({ length: 1_000 }, () => Array.from({ length: 1_000 }, () => 1));
    const excerpt = excerptOf({ a: { many }, tags: numbered(10_000) }) as {
      a: { many: number[][] };
      tags: object;
    };
    expect([excerpt.a.many.length, excerpt.a.many[0]!.length]).toEqual([20, 20]);
    expect(Object.keys(excerpt.tags)).toHaveLength(250);
  });

  it('keeps all other properties: a required one may be the last', () => {
    expect(excerptOf(numbered(10_000))).toEqual(numbered(10_000));
  });
});
