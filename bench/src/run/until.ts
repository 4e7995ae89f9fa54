import { setTimeout } from 'node:timers/promises';
import type { ChildProgram } from './child-program.ts';

const LOOK_INTERVAL_MS = 50;
const WAIT_MS_MAX = 3_600_000;

/**
 * Checks a condition twenty times a second until it is true.
 * @param what is expected, for the error message
 * @throws Error if one of the programs has ended, and after an hour
 */
export async function until(
  what: string,
  isSo: () => Promise<boolean>,
  programs: readonly ChildProgram[] = [],
): Promise<void> {
  const deadline = performance.now() + WAIT_MS_MAX;
  while (!(await isSo())) {
    for (const program of programs) program.assertRunning();
    if (performance.now() > deadline) throw new Error(`waited too long for ${what}`);
    await setTimeout(LOOK_INTERVAL_MS);
  }
}
