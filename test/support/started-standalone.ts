import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiClient } from './api-client.ts';

export const ADMIN = { username: 'admin', password: 'a-password-for-tests' };

const START_MS_MAX = 60_000;

/** The built program, as a user runs it, on a data directory of its own. */
export class StartedStandalone {
  private constructor(
    readonly url: string,
    readonly dataDir: string,
    private readonly child: ChildProcess,
    private readonly output: string[],
  ) {}

  /**
   * @param dataDir kept by the caller for a start after a stop or a kill; new where it is left out
   * @param env beside what every test start has
   */
  static async start(dataDir?: string, env: Record<string, string> = {}): Promise<StartedStandalone> {
    const folder = dataDir ?? (await temporaryDataDir());
    const child = spawn(process.execPath, ['dist/apps/standalone/src/main.js'], {
      env: {
        PATH: process.env.PATH,
        DATA_DIR: folder,
        PORT: '0',
        POSTURE_ADMIN_USERNAME: ADMIN.username,
        POSTURE_ADMIN_PASSWORD: ADMIN.password,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output: string[] = [];
    child.stdout!.on('data', (text) => output.push(String(text)));
    child.stderr!.on('data', (text) => output.push(String(text)));
    return new StartedStandalone(await addressOf(child, output), folder, child, output);
  }

  get pid(): number {
    return this.child.pid!;
  }

  /** Everything that it wrote to standard output and standard error. */
  get log(): string {
    return this.output.join('');
  }

  /** A client that is signed in as the first admin. */
  client(): Promise<ApiClient> {
    return ApiClient.signIn(this.url, ADMIN);
  }

  /** As a power cut would: nothing is closed. */
  async kill(): Promise<void> {
    const ended = once(this.child, 'close');
    this.child.kill('SIGKILL');
    await ended;
  }

  /** As Ctrl-C does. Answers the exit code. */
  async stop(): Promise<number | null> {
    if (this.child.exitCode !== null) return this.child.exitCode;
    const ended = once(this.child, 'close');
    this.child.kill('SIGINT');
    const [code] = await ended;
    return code;
  }

  async stopAndRemove(): Promise<void> {
    await this.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}

/** Readable for PostgreSQL, which runs as another user where the tests run as root. */
export async function temporaryDataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'posture-e2e-'));
  await chmod(folder, 0o755);
  return folder;
}

function addressOf(child: ChildProcess, output: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const tooLate = setTimeout(() => fail('did not start in time'), START_MS_MAX);
    const fail = (why: string) => {
      clearTimeout(tooLate);
      child.kill('SIGKILL');
      reject(new Error(`the program ${why}:\n${output.join('')}`));
    };
    child.once('exit', (code) => fail(`ended with ${code}`));
    child.stdout!.on('data', () => {
      const url = /Risk Posture Service on (http:\S+)/.exec(output.join(''))?.[1];
      if (!url) return;
      clearTimeout(tooLate);
      child.removeAllListeners('exit');
      resolve(url);
    });
  });
}
