import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { describe, it } from '@jest/globals';
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

/** So do the runs of `npm run test:faults`, which are for their files only. */
const hasAll = isLongRun || process.env.FAULT_ROUNDS !== undefined;

/**
 * Whether a case belongs to this run: a long run has all of them, any other one in `shares`, another one from run to
 * run.
 * @param id number of the case, or its name
 */
export function isInRun(id: number | string, shares: 2 | 3 | 4): boolean {
  const number = typeof id === 'number' ? id : createHash('sha256').update(id).digest().readUInt32BE();
  return hasAll || number % shares === part() % shares;
}

const ELSEWHERE = '(skipped: other runs have them, and npm run test:long has all)';

/** As `it`, for a case that only some runs have; otherwise it is skipped, with the reason in its name. */
export function itInRun(
  shares: 2 | 3 | 4,
  name: string,
  test: () => Promise<unknown>,
  timeout?: number,
): void {
  if (isInRun(name, shares)) it(name, test, timeout);
  else it.skip(`${name} ${ELSEWHERE}`, test);
}

/** Whether the last commit or a later change touches a path; also if that is not known. */
export const hasChanged = (...paths: string[]): boolean =>
  spawnSync('git', ['diff', '--quiet', 'HEAD~1', '--', ...paths]).status !== 0;

interface Rotation {
  shares: 2 | 3 | 4;
  /** From 0: specs with the same number run together, so the numbers spread the work over the runs. */
  turn: number;
  /** Whether this run has them even if it is not their turn. */
  isDue?: boolean;
  /** Declares them; default: `describe`. */
  as?: (name: string, specs: () => void) => void;
}

/** As `describe`, for specs that only some runs have: a spec file, or the half of it that starts Kafka. */
export function describeInRun(
  { shares, turn, isDue = false, as = describe }: Rotation,
  name: string,
  specs: () => void,
): void {
  if (isDue || isInRun(turn, shares)) as(name, specs);
  else describe.skip(`${name} ${ELSEWHERE}`, specs);
}
