import { afterEach, expect, it } from '@jest/globals';
import { isLongRun } from './long-run.ts';
import { isInRun, PART_VARIABLE, PARTS, part } from './part-of-run.ts';

const CASES = ['overview', 'findings', 'asset-dark', 'uploads-list-phone', 0, 1, 2, 3, 11, 250];
const given = process.env[PART_VARIABLE];
afterEach(() => {
  if (given === undefined) delete process.env[PART_VARIABLE];
  else process.env[PART_VARIABLE] = given;
});

it.each([2, 3, 4] as const)('every case is in the same number of parts: one in %i', (shares) => {
  for (const id of CASES) {
    const parts = Array.from({ length: PARTS }, (_, part) => {
      process.env[PART_VARIABLE] = String(part);
      return isInRun(id, shares);
    });
    expect([id, parts.filter(Boolean).length]).toEqual([id, isLongRun ? PARTS : PARTS / shares]);
  }
});

it.each(['12', '-1', '1.5', 'x', ''])('%j is rejected as the part of a run', (given) => {
  process.env[PART_VARIABLE] = given;
  expect(part).toThrow('TEST_PART must be a number from 0 to 11');
});
