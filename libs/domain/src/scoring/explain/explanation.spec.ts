import { expect, it } from '@jest/globals';
import { type CausePart, explanationOf } from './explanation.ts';

const cause = (id: string, part: number): CausePart => ({
  cause: { kind: 'finding', id, assetId: 'a', name: null, what: 'moved' },
  part,
});
const many = (name: string, count: number, part: number) =>
  Array.from({ length: count }, (_, i) => cause(`${name}${i}`, part));
const idsOf = (parts: readonly CausePart[]) => new Set(parts.map((one) => one.cause.id));

it.each([
  [10, -0.6, -0.4, -0.06],
  [10, -0.4, -0.6, -0.04],
  [1_000, -2.6, -2.4, -26],
])('rounds %i small causes together, and not each', (count, part, other, expected) => {
  const [joint, rest] = [many('joint', count, part), many('other', count, other)];
  const to = 9_000 + Math.round(count * (part + other));
  const told = explanationOf([9_000, to], [...joint, ...rest], 100, { together: idsOf(joint) });
  expect(told.together).toBe(expected);
  expect(told.causes.filter(({ id }) => id.startsWith('joint'))).toEqual([]);
  const shares = told.causes.reduce((sum, { share }) => sum + share, told.others.share + told.together);
  expect(shares).toBeCloseTo(told.difference, 6);
});
