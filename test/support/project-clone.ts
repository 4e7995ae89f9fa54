import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, symlinkSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.ts';
import { temporaryDataDir } from './started-standalone.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** The port that pages name. */
const PAGE_PORT = '8080';

/** A folder like a clone of the project, so that .data is not the developer's own, in which a page's commands run. */
export class ProjectClone {
  private service: ChildProcess | undefined;

  private constructor(
    readonly folder: string,
    private readonly port: string,
  ) {}

  static async make(): Promise<ProjectClone> {
    const folder = await temporaryDataDir();
    for (const name of readdirSync(ROOT)) {
      if (!name.startsWith('.')) symlinkSync(join(ROOT, name), join(folder, name));
    }
    return new ProjectClone(folder, String(await freePort()));
  }

  /** Of a newcomer's terminal. */
  get env(): NodeJS.ProcessEnv {
    return {
      ...process.env,
      NODE_OPTIONS: '',
      PORT: this.port,
      POSTURE_URL: `http://127.0.0.1:${this.port}`,
    };
  }

  /** A page's text as it is for the port of this service. */
  here(text: string): string {
    return text.replaceAll(PAGE_PORT, this.port);
  }

  /**
   * `npm start`, until it prints how to stop it.
   * @returns its output
   * @throws Error with its output if it ends instead
   */
  async start(): Promise<string> {
    const service = spawn('npm', ['start'], {
      cwd: this.folder,
      env: this.env,
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.service = service;
    let output = '';
    await new Promise<void>((resolve, reject) => {
      service.once('exit', (code) => reject(new Error(`ended with ${code}: ${output}`)));
      service.stdout!.on('data', (text) => {
        output += text;
        if (output.includes('Ctrl-C')) resolve();
      });
    });
    return output;
  }

  /** The files of the first start. */
  async credentials(): Promise<{ username: string; password: string }> {
    const text = await readFile(join(this.folder, '.data/initial-credentials'), 'utf8');
    const of = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(text)![1]!;
    return { username: of('username'), password: of('password') };
  }

  /** Ctrl-C, which reaches npm and the service alike. */
  async stopAndRemove(): Promise<void> {
    if (this.service?.exitCode === null) {
      const ended = once(this.service, 'close');
      process.kill(-this.service.pid!, 'SIGINT');
      await ended;
    }
    await rm(this.folder, { recursive: true, force: true });
  }
}
