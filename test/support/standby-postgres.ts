import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { EmbeddedPostgres } from '#libs/database';
import { linesOf, spawnAs } from '../../libs/database/src/embedded/spawn-as.ts';
import { systemUser } from '../../libs/database/src/embedded/system-user.ts';
import { freePort } from './free-port.ts';

const run = promisify(execFile);

/** A hot standby of a PostgreSQL of the system: a real replica, by streaming. */
export class StandbyPostgres {
  private constructor(
    /** Of the same database, user and password as the primary's. */
    readonly url: string,
    private readonly start: () => Promise<ChildProcess>,
    private child: ChildProcess,
  ) {}

  /** @param directory of the copy, new */
  static async of(
    primary: EmbeddedPostgres,
    directory: string,
    settings: Record<string, string>,
  ): Promise<StandbyPostgres> {
    const user = await systemUser();
    const program = (name: string) => join(primary.programs.folder, name);
    await run(
      program('pg_basebackup'),
      [
        '--pgdata',
        directory,
        '--write-recovery-conf',
        '--wal-method=stream',
        '--checkpoint=fast',
        '-d',
        primary.url,
      ],
      { ...user, cwd: '/' },
    );
    const port = await freePort();
    const flags = Object.entries({
      ...settings,
      port: `${port}`,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      hot_standby_feedback: 'off',
    }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const start = async () => {
      const child = spawnAs(user, program('postgres'), ['-D', directory, ...flags]);
      const lines: string[] = [];
      await new Promise<void>((resolve, reject) => {
        linesOf(child, (line) => {
          lines.push(line);
          if (line.includes('ready to accept read-only connections')) resolve();
        });
        child.once('close', () => reject(new Error(`the standby did not start: ${lines.join('\n')}`)));
      });
      return child;
    };
    const url = Object.assign(new URL(primary.url), { port: `${port}` }).href;
    return new StandbyPostgres(url, start, await start());
  }

  /** As by `kill -9` of all its processes. */
  async kill(): Promise<void> {
    await this.end('SIGQUIT');
  }

  async restart(): Promise<void> {
    this.child = await this.start();
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) await this.end('SIGINT');
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const ended = once(this.child, 'close');
    this.child.kill(signal);
    await ended;
  }
}
