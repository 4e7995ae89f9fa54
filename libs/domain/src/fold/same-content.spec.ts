import { describe, expect, it } from '@jest/globals';
import { sameContent } from './same-content.ts';

class Decoded {
  constructor(readonly name: string) {}
}

describe('content', () => {
  it.each<[unknown, unknown]>([
    [1, 1],
    [null, null],
    [[], []],
    [{}, {}],
    [
      { a: 1, b: [{ c: null }] },
      { b: [{ c: null }], a: 1 },
    ],
    [new Decoded('x'), { name: 'x' }],
  ])('%j is the same as %j', (a, b) => {
    expect([sameContent(a, b), sameContent(b, a)]).toEqual([true, true]);
  });

  it.each<[unknown, unknown]>([
    [1, 2],
    [1, '1'],
    ['x', {}],
    [null, {}],
    [null, 0],
    [undefined, {}],
    [['x'], ['x', 'y']],
    [
      ['x', 'y'],
      ['y', 'x'],
    ],
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: undefined }, { b: 1 }],
    [{ a: { b: 1 } }, { a: { b: 2 } }],
    [[{ a: 1 }], [{ a: null }]],
  ])('%j is another than %j', (a, b) => {
    expect([sameContent(a, b), sameContent(b, a)]).toEqual([false, false]);
  });

  it.each([
    [[], {}],
    [['x'], { 0: 'x' }],
  ])('of a list, %j, is another than that of an object', (list, object) => {
    expect(sameContent(list, object)).toBe(false);
  });
});
