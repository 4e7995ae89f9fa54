import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { ProjectClone } from './project-clone.ts';

/** One terminal that a reader pastes the blocks of a page into, one after another: variables stay. */
export class PastedTerminal {
  private readonly shell: ChildProcessWithoutNullStreams;
  private output = '';
  private errors = '';
  private onData = () => {};

  constructor(private readonly clone: ProjectClone) {
    // A command that fails ends it, so that no block skips one.
    this.shell = spawn('bash', ['-eu'], { cwd: clone.folder, env: clone.env, detached: true });
    this.shell.stdout.on('data', (text) => {
      this.output += text;
      this.onData();
    });
    this.shell.stderr.on('data', (text) => {
      this.errors += text;
    });
    // A shell that has ended cannot be written to; `paste` states why.
    this.shell.stdin.on('error', () => {});
    this.shell.once('close', () => this.onData());
  }

  /**
   * Runs one block.
   * @returns its standard output
   * @throws Error with both outputs if a command fails
   */
  async paste(block: string): Promise<string> {
    const end = randomUUID();
    this.output = '';
    this.errors = '';
    this.shell.stdin.write(`${this.clone.here(block)}\necho ${end}\n`);
    await new Promise<void>((resolve, reject) => {
      this.onData = () => {
        if (this.output.endsWith(`${end}\n`)) resolve();
        else if (this.shell.exitCode !== null || this.shell.signalCode !== null) {
          reject(new Error(`a command failed in\n${block}\n${this.output}${this.errors}`));
        }
      };
      this.onData();
    });
    return this.output.slice(0, -end.length - 1);
  }

  /** Ends it and the programs in it. */
  async close(): Promise<void> {
    if (this.shell.exitCode !== null || this.shell.signalCode !== null) return;
    const ended = once(this.shell, 'close');
    process.kill(-this.shell.pid!, 'SIGKILL');
    await ended;
  }
}
