import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { until } from '../support/until.ts';
import type { BuiltImage } from './built-image.ts';
import type { Service } from './compose-file.ts';

const HEALTHY_MS_MAX = 150_000;
const OUTPUT_CHARACTERS_MAX = 5_000;

export interface Ended {
  code: number | null;
  output: string;
}

/** A program of the image as a process of this machine, with the command, user and environment of its service. */
export class Container {
  private readonly env: Record<string, string>;
  private readonly output: string[] = [];
  private program: ChildProcess;
  private isStopping = false;

  /** @param elsewhere addresses on this machine of the names in the containers' network */
  constructor(
    private readonly image: BuiltImage,
    private readonly service: Service,
    elsewhere: Record<string, string>,
  ) {
    this.env = { PATH: process.env.PATH!, ...image.env, ...service.environment, ...elsewhere };
    this.program = this.start();
  }

  /** Address of the service on this machine. */
  get url(): string {
    return `http://127.0.0.1:${this.env.PORT}`;
  }

  /** As `docker compose exec`: the same user, folder and environment. */
  async exec(command: string[]): Promise<Ended> {
    const output: string[] = [];
    const [code] = await once(this.spawn(command, output), 'close');
    return { code, output: output.join('') };
  }

  /** Waits until the service's own check says that it is healthy. */
  async untilHealthy(): Promise<void> {
    const [, ...check] = this.service.healthcheck!.test;
    // A check is a separate process: continuous checks would slow the start that they wait for.
    const isHealthy = async () =>
      this.output.join('').includes(' on http') && (await this.exec(check)).code === 0;
    await until(`${this.service.command} is healthy`, isHealthy, HEALTHY_MS_MAX).catch((error: Error) => {
      throw new Error(`${error.message}\n${this.output.join('').slice(-OUTPUT_CHARACTERS_MAX)}`);
    });
  }

  /** As `docker compose stop`. Returns the exit code. */
  async stop(): Promise<number | null> {
    this.isStopping = true;
    if (this.program.exitCode !== null || this.program.signalCode !== null) return this.program.exitCode;
    const ended = once(this.program, 'close');
    this.program.kill('SIGTERM');
    const [code] = await ended;
    return code;
  }

  /** `restart: unless-stopped`: a program that cannot start yet ends, and is started again. */
  private start(): ChildProcess {
    const program = this.spawn([...this.image.entrypoint, ...this.service.command!], this.output);
    program.once('close', () => {
      if (!this.isStopping) this.program = this.start();
    });
    return program;
  }

  private spawn([program, ...args]: string[], output: string[]): ChildProcess {
    const [uid, gid] = this.service.user!.split(':').map(Number);
    const child = spawn(program!, args, {
      cwd: join(this.image.root, this.image.workdir),
      env: this.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      // Only root may become another; who is not root is none either way.
      ...(process.getuid?.() === 0 && { uid, gid }),
    });
    for (const stream of [child.stdout!, child.stderr!])
      stream.on('data', (text) => output.push(String(text)));
    return child;
  }
}
