import { createHash } from 'node:crypto';
import { it } from '@jest/globals';
import { isLongRun } from './long-run.ts';

/** Divisible by 2, 3 and 4, so that each share of a rotation is equally frequent. */
export const PARTS = 12;
/** Set by the global setup, so that all workers of a run have the same part; set it yourself to repeat a run. */
export const PART_VARIABLE = 'TEST_PART';

/**
 * Number of this run's part.
 * @throws Error unless it is a number from 0 to 11: cases that no run has must not go unnoticed
 */
export function part(): number {
  const given = process.env[PART_VARIABLE] ?? '0';
  if (/^\d+$/.test(given) && Number(given) < PARTS) return Number(given);
  throw new Error(`${PART_VARIABLE} must be a number from 0 to ${PARTS - 1} (got ${given})`);
}

/**
 * Whether a case belongs to this run: a long run has all of them, any other one in `shares`, another one from run to
 * run.
 * @param id number of the case, or its name
 */
export function isInRun(id: number | string, shares: 2 | 3 | 4): boolean {
  const number = typeof id === 'number' ? id : createHash('sha256').update(id).digest().readUInt32BE();
  return isLongRun || number % shares === part() % shares;
}

/** As `it`, for a case that only some runs have; otherwise it is skipped, with the reason in its name. */
export function itInRun(
  shares: 2 | 3 | 4,
  name: string,
  test: () => Promise<unknown>,
  timeout?: number,
): void {
  if (isInRun(name, shares)) it(name, test, timeout);
  else it.skip(`${name} (skipped: other runs have them, and npm run test:long has all)`, test);
}
