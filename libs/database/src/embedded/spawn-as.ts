import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import type { SystemUser } from './system-user.ts';

/** Lines of a failed program that its error quotes. */
const LAST_LINES_MAX = 5;

/**
 * A process group and session of its own, without the service's secrets in its environment.
 * @param inherited file descriptor that it and its children hold open, if any
 */
export function spawnAs(
  user: SystemUser | undefined,
  program: string,
  args: string[],
  inherited?: number,
): ChildProcess {
  const { PATH, SystemRoot } = process.env;
  const stdio: StdioOptions = ['ignore', 'ignore', 'pipe', ...(inherited === undefined ? [] : [inherited])];
  return spawn(program, args, {
    ...user,
    cwd: dirname(program),
    detached: true,
    stdio,
    env: { ...(PATH && { PATH }), ...(SystemRoot && { SystemRoot }), LC_ALL: 'C' },
  });
}

/** Calls back with each line that a program writes to its standard error. */
export function linesOf(child: ChildProcess, onLine: (line: string) => void): void {
  createInterface({ input: child.stderr! }).on('line', onLine);
}

export function keepLast(lines: string[], line: string): void {
  lines.push(line);
  if (lines.length > LAST_LINES_MAX) lines.shift();
}
