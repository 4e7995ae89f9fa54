import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { until } from '../support/until.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PRINT_MS_MAX = 60_000;
const STOP_MS_MAX = 20_000;

interface FollowerOptions {
  args?: readonly string[];
  /** In addition to the environment of this process. */
  env?: object;
}

/** A terminal program that runs until Ctrl-C, and its output. */
export class Follower {
  /** Of standard output. */
  readonly lines: string[] = [];
  private readonly ended: Promise<unknown>;
  private errors = '';

  private constructor(private readonly child: ChildProcess) {
    this.ended = once(child, 'close');
    const dieWithUs = () => this.signal('SIGKILL');
    process.once('exit', dieWithUs);
    child.once('close', () => process.removeListener('exit', dieWithUs));
    createInterface(child.stdout!).on('line', (line) => this.lines.push(line));
    child.stderr!.on('data', (text) => {
      this.errors += text;
    });
  }

  /** A bash script; `args` are its `$0` and `$@`. npm packages are those of this repository. */
  static start(script: string, { args = [], env = {} }: FollowerOptions): Follower {
    const child = spawn('bash', ['-euc', script, ...args], {
      cwd: ROOT,
      env: { ...process.env, NODE_OPTIONS: '', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // It is a process group with its children, as in a terminal.
      detached: true,
    });
    return new Follower(child);
  }

  /** @throws Error if it ends before it has printed as many lines, or takes more than a minute */
  untilLines(count: number): Promise<void> {
    return this.untilPrinted(`${count} lines`, () => this.lines.length >= count);
  }

  /** @throws Error if it ends before, or takes more than a minute */
  untilPrinted(what: string, condition: () => boolean): Promise<void> {
    const printed = () => {
      if (condition()) return true;
      if (this.hasEnded) throw new Error(`ended after ${this.lines.length} lines:\n${this.errors}`);
      return false;
    };
    return until(what, printed, PRINT_MS_MAX).catch((error) => {
      throw new Error(`${error.message}\n${this.errors}`);
    });
  }

  /** As Ctrl-C in its terminal does. Returns the exit code; null if a signal ended it, at last SIGKILL. */
  async interrupt(): Promise<number | null> {
    this.signal('SIGINT');
    const tooLong = setTimeout(() => this.signal('SIGKILL'), STOP_MS_MAX);
    await this.ended;
    clearTimeout(tooLong);
    return this.child.exitCode;
  }

  private signal(name: NodeJS.Signals): void {
    if (!this.hasEnded) process.kill(-this.child.pid!, name);
  }

  private get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }
}
