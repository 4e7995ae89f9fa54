import { readdirSync, readFileSync } from 'node:fs';
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

/** `shares` and `turn` of every spec that rotates as a whole. */
const rotations = (): { file: string; shares: 2 | 3 | 4; turn: number }[] =>
  readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.spec.ts') && !file.startsWith('support/'))
    .flatMap((file) => {
      const text = readFileSync(`test/${file}`, 'utf8');
      const found = Array.from(text.matchAll(/shares: ([234]), turn: (\d+)/g), ([, shares, turn]) => ({
        file,
        shares: Number(shares) as 2 | 3 | 4,
        turn: Number(turn),
      }));
      expect([file, found.length > 0]).toEqual([file, text.includes('describeInRun')]);
      return found;
    });

it('every rotating spec is in some part, and no part is without one of each rotation', () => {
  const found = rotations();
  expect(found.length).toBeGreaterThan(8);
  for (let number = 0; number < PARTS; number++) {
    process.env[PART_VARIABLE] = String(number);
    const shown = found.filter(({ shares, turn }) => isInRun(turn, shares)).map(({ shares }) => shares);
    expect([number, [...new Set(shown)].sort()]).toEqual([number, [2, 3]]);
  }
  for (const { file, shares, turn } of found) expect([file, turn < shares]).toEqual([file, true]);
});

it.each(['12', '-1', '1.5', 'x', ''])('%j is rejected as the part of a run', (given) => {
  process.env[PART_VARIABLE] = given;
  expect(part).toThrow('TEST_PART must be a number from 0 to 11');
});
