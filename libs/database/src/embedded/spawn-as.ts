import { type ChildProcess, execFile, type StdioOptions, spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { SystemUser } from './system-user.ts';

/** Lines of a failed program that its error quotes. */
const LAST_LINES_MAX = 5;
const RUN_MS_MAX = 30_000;

/**
 * A separate process group and session, without the service's secrets in its environment.
 * @param inherited file descriptor that it and its children hold open, if any
 */
export function spawnAs(
  user: SystemUser | undefined,
  program: string,
  args: string[],
  inherited?: number,
): ChildProcess {
  const stdio: StdioOptions = ['ignore', 'ignore', 'pipe', ...(inherited === undefined ? [] : [inherited])];
  return spawn(program, args, {
    ...user,
    cwd: dirname(program),
    detached: true,
    stdio,
    env: environment(),
  });
}

/**
 * Runs a program to its end, in the same environment as `spawnAs`.
 * @returns what it wrote to its standard output
 * @throws Error if it cannot be run, fails, or takes longer than 30 s
 */
export async function runAs(user: SystemUser | undefined, program: string, args: string[]): Promise<string> {
  const options = { ...user, cwd: dirname(program), timeout: RUN_MS_MAX, env: environment() };
  return (await promisify(execFile)(program, args, options)).stdout;
}

function environment(): Record<string, string> {
  const { PATH, SystemRoot } = process.env;
  return { ...(PATH && { PATH }), ...(SystemRoot && { SystemRoot }), LC_ALL: 'C' };
}

/** Calls back with each line that a program writes to its standard error. */
export function linesOf(child: ChildProcess, onLine: (line: string) => void): void {
  createInterface({ input: child.stderr! }).on('line', onLine);
}

export function keepLast(lines: string[], line: string): void {
  lines.push(line);
  if (lines.length > LAST_LINES_MAX) lines.shift();
}
