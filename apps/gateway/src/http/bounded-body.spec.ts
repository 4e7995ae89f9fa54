import { expect, it } from '@jest/globals';
import { assertBounded } from './bounded-body.ts';

const members = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`m${i}`, i]));
const elements = (count: number, one: unknown = 0) => Array.from({ length: count }, () => one);

it.each([
  [members(2_000)],
  [{ a: { b: elements(5_000) } }],
  [elements(15, members(1_900))],
  [null],
  ['text'],
  [undefined],
])('a body within the limits is accepted (%#)', (body) => {
  expect(() => assertBounded(body)).not.toThrow();
});

it.each([
  [members(2_001), 'the body must contain at most 2000 members (got 2001)'],
  [{ a: [0, { b: elements(5_001) }] }, 'a.1.b must contain at most 5000 elements (got 5001)'],
  [{ config: members(9_000) }, 'config must contain at most 2000 members (got 9000)'],
  [elements(16, members(1_900)), 'the body must contain at most 30000 members and elements in all'],
  [{ kinds: elements(349_000, []) }, 'kinds must contain at most 5000 elements (got 349000)'],
])('a body beyond them is refused with the path (%#)', (body, message) => {
  expect(() => assertBounded(body)).toThrow(message);
});
