import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { ROOT } from '../root.ts';
import type { Watched } from './process-use.ts';

const START_MS_MAX = 60_000;
const STOP_MS_MAX = 30_000;
const OUTPUT_CHARACTERS_MAX = 20_000;

export interface ProgramToStart {
  /** Name in the report. */
  name: string;
  /** Path below dist/. */
  script: string;
  /** Its whole environment, in addition to PATH. */
  env: Record<string, string>;
  /** The line that it prints once it is ready; the first group, if there is one, is its address. */
  ready: RegExp;
}

/** A built program as a separate process. */
export class ChildProgram {
  private constructor(
    readonly name: string,
    /** Its address; empty if it does not print one. */
    readonly address: string,
    private readonly child: ChildProcess,
    private readonly output: { text: string },
  ) {}

  /** Resolves when it is ready. @throws Error with its output if it ends before, or after a minute */
  static async start(
    { name, script, env, ready }: ProgramToStart,
    nodeFlags: string[] = [],
  ): Promise<ChildProgram> {
    const child = spawn(process.execPath, ['--enable-source-maps', ...nodeFlags, `${ROOT}dist/${script}`], {
      cwd: ROOT,
      env: { PATH: process.env.PATH, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const output = { text: '' };
    const gather = (text: string) => {
      output.text = (output.text + text).slice(-OUTPUT_CHARACTERS_MAX);
    };
    child.stdout.setEncoding('utf8').on('data', gather);
    child.stderr.setEncoding('utf8').on('data', gather);
    const dieWithUs = () => child.kill('SIGKILL');
    process.once('exit', dieWithUs);
    child.once('close', () => process.removeListener('exit', dieWithUs));
    const match = await firstMatch(name, child, output, ready);
    return new ChildProgram(name, match[1] ?? '', child, output);
  }

  get watched(): Watched {
    return { name: this.name, pid: this.child.pid! };
  }

  /** Sends the next task to a bare program. */
  writeLine(line: string): void {
    this.child.stdin!.write(`${line}\n`);
  }

  /** @throws Error with its output if it has ended unexpectedly */
  assertRunning(): void {
    if (this.child.exitCode === null && this.child.signalCode === null) return;
    throw new Error(`${this.name} exited with ${this.child.exitCode}:\n${this.output.text}`);
  }

  /** Sends SIGINT, and SIGKILL after 30 seconds. Resolves when it has ended. */
  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'close');
    this.child.kill('SIGINT');
    const tooLong = setTimeout(() => this.child.kill('SIGKILL'), STOP_MS_MAX);
    await ended;
    clearTimeout(tooLong);
  }
}

function firstMatch(
  name: string,
  child: ChildProcess,
  output: { text: string },
  ready: RegExp,
): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) => {
      clearTimeout(tooLate);
      child.kill('SIGKILL');
      reject(new Error(`${name} ${why}:\n${output.text}`));
    };
    const tooLate = setTimeout(() => fail('did not start in time'), START_MS_MAX);
    const onClose = (code: number | null) => fail(`ended with ${code}`);
    child.once('close', onClose);
    child.stdout!.on('data', function look() {
      const match = ready.exec(output.text);
      if (!match) return;
      clearTimeout(tooLate);
      child.removeListener('close', onClose);
      child.stdout!.removeListener('data', look);
      resolve(match);
    });
  });
}
