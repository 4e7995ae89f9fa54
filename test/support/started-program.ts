import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { NPM_PROGRAMS } from '#libs/database';

const START_MS_MAX = 180_000;

/** From Node 22 on, a program reads what an earlier start has compiled. */
export const COMPILED = { NODE_COMPILE_CACHE: resolve('node_modules/.cache/compiled') };

/** A built program of the service as a separate process. */
export class StartedProgram {
  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
    private readonly output: string[],
  ) {}

  /**
   * @param app folder under apps/
   * @param env all of it, in addition to PATH, a free PORT, and npm's PostgreSQL, which is the same on every machine
   * @param options.cwd the folder that contains `dist`; omitted: this repository
   * @param options.path of the program in it; omitted: its build path
   * @param options.within a command that runs it elsewhere, as of `containers.ts`
   * @throws Error with its output if it ends instead, or takes more than three minutes
   */
  static async start(
    app: string,
    env: Record<string, string>,
    {
      cwd,
      path = `dist/programs/${app}.js`,
      within = [],
    }: { cwd?: string; path?: string; within?: readonly string[] } = {},
  ): Promise<StartedProgram> {
    const node = [process.execPath, '--enable-source-maps', path];
    const [command, ...args] = [...within, ...node];
    const child = spawn(command!, args, {
      ...(cwd && { cwd }),
      env: { PATH: process.env.PATH, PORT: '0', POSTGRES_BIN: NPM_PROGRAMS, ...COMPILED, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output: string[] = [];
    child.stdout!.on('data', (text) => output.push(String(text)));
    child.stderr!.on('data', (text) => output.push(String(text)));
    return new StartedProgram(await addressOf(child, output), child, output);
  }

  /** Everything that it wrote to standard output and standard error. */
  get log(): string {
    return this.output.join('');
  }

  /** Of its process, not of its children. */
  get pid(): number {
    return this.child.pid!;
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** As a power cut would: nothing is closed. */
  async kill(): Promise<void> {
    const ended = once(this.child, 'close');
    this.child.kill('SIGKILL');
    await ended;
  }

  /** As Ctrl-C does. Returns the exit code; that of its end if it has ended. */
  async stop(): Promise<number | null> {
    if (this.hasEnded) return this.child.exitCode;
    const ended = once(this.child, 'close');
    this.child.kill('SIGINT');
    const [code] = await ended;
    return code;
  }
}

/** The first line of every program contains its name and address. */
function addressOf(child: ChildProcess, output: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const tooLate = setTimeout(() => fail('did not start in time'), START_MS_MAX);
    const fail = (why: string) => {
      clearTimeout(tooLate);
      child.kill('SIGKILL');
      reject(new Error(`the program ${why}:\n${output.join('')}`));
    };
    // `close` is emitted after all output was read.
    child.once('close', (code) => fail(`ended with ${code}`));
    child.stdout!.on('data', () => {
      const url = /(?:Service|Gateway|Projector|Scorer|Collector) on (http:\S+)/.exec(output.join(''))?.[1];
      if (!url) return;
      clearTimeout(tooLate);
      child.removeAllListeners('close');
      resolve(url);
    });
  });
}
