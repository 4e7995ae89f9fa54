import { expect, it } from '@jest/globals';
import { type Busy, limitOf } from './limit.ts';

const busy = (projectors: number[], postgres: number, others = 0): Busy => ({
  projectors,
  postgres,
  kafka: 0.1,
  others,
});

it.each([
  ['the processor', busy([0.9], 0.85), 2],
  ['the processor', busy([0.9], 0.1, 0.75), 2],
  ["one projector's thread", busy([0.95], 0.7), 8],
  ["one projector's thread", busy([0.2, 0.95], 0.7), 8],
  ['PostgreSQL', busy([0.6, 0.6, 0.6, 0.6], 3), 8],
  ['unknown', busy([], 0), 2],
  ['PostgreSQL', busy([0.3], 0.2), 2],
])('%s limits %j on %i cores', (limit, used, cores) => {
  expect(limitOf(used, cores)).toBe(limit);
});
