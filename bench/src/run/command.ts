import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../root.ts';
import type { ProcessUse } from './process-use.ts';

const MINUTE_MS = 60_000;
const RUN_MINUTES_MAX = 10;

/** A built program that does its work and ends. */
export interface Command {
  /** Name in the report. */
  name: string;
  /** Path below dist/. */
  script: string;
  args?: string[];
  /** Its whole environment, in addition to PATH. */
  env: Record<string, string>;
  /** Default: 10. */
  minutesMax?: number;
}

export interface FinishedCommand {
  /** From its start to its end, including the start of Node. */
  seconds: number;
  use: ProcessUse;
  /** Its standard output. */
  output: string;
}

/** @throws Error with its output if its exit code is not 0, or after `minutesMax` */
export async function runCommand(
  { name, script, args = [], env, minutesMax = RUN_MINUTES_MAX }: Command,
  nodeFlags: string[] = [],
): Promise<FinishedCommand> {
  const reportUse = pathToFileURL(`${ROOT}dist/bench/src/run/report-use.js`).href;
  const flags = ['--enable-source-maps', `--import=${reportUse}`, ...nodeFlags];
  const began = performance.now();
  const child = spawn(process.execPath, [...flags, `${ROOT}dist/${script}`, ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    timeout: minutesMax * MINUTE_MS,
    killSignal: 'SIGKILL',
  });
  const dieWithUs = () => child.kill('SIGKILL');
  process.once('exit', dieWithUs);
  const [output, errors, use, seconds] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    text(child.stdio[3] as Readable),
    once(child, 'exit').then(() => (performance.now() - began) / 1000),
  ]);
  process.removeListener('exit', dieWithUs);
  if (child.exitCode !== 0) {
    throw new Error(`${name} exited with ${child.exitCode ?? child.signalCode}:\n${output}${errors}`);
  }
  return { seconds, use: useOf(name, JSON.parse(use)), output };
}

/** Converts µs and KB. */
const useOf = (name: string, { userCPUTime, systemCPUTime, maxRSS }: NodeJS.ResourceUsage): ProcessUse => ({
  name,
  cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
  peakRssMb: maxRSS / 1024,
});
