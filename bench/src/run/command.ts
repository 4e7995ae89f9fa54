import { execFile } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ROOT } from '../root.ts';
import { type ProcessUse, watchProcesses } from './process-use.ts';

const run = promisify(execFile);
const LOOK_INTERVAL_MS = 100;
const COMMAND_MS_MAX = 900_000;

export interface CommandRun {
  seconds: number;
  /** What it wrote to standard output. */
  output: string;
  /** As seen a tenth of a second before its end at most. */
  use: ProcessUse | undefined;
}

/**
 * Runs a command of `posture` to its end.
 * @param env all of its environment, beside PATH
 * @throws Error with what it wrote to standard error where it fails, or takes more than a quarter of an hour
 */
export async function runPosture(args: string[], env: Record<string, string>): Promise<CommandRun> {
  const began = performance.now();
  const running = run(process.execPath, [`${ROOT}apps/cli/posture.js`, ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...env },
    timeout: COMMAND_MS_MAX,
  });
  const { child } = running;
  const dieWithUs = () => child.kill('SIGKILL');
  process.once('exit', dieWithUs);
  const watching = watchUntil(running, `posture ${args[0]}`, child.pid!);
  try {
    const { stdout: output } = await running;
    return { seconds: (performance.now() - began) / 1000, output, use: await watching };
  } finally {
    process.removeListener('exit', dieWithUs);
  }
}

/** Never throws: whoever awaits the command hears of its failure. */
async function watchUntil(
  running: Promise<unknown>,
  name: string,
  pid: number,
): Promise<ProcessUse | undefined> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  running.then(over, over);
  const read = await watchProcesses([{ name, pid }]);
  let last: ProcessUse | undefined;
  while (!isOver) {
    const [use] = await read();
    // Of a process that is about to end there is no memory to be read any more.
    if (use && use.peakRssMb > 0) last = use;
    await setTimeout(LOOK_INTERVAL_MS);
  }
  return last;
}
