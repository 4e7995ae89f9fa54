import type { ChildProcess } from 'node:child_process';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import type { FileLock } from './file-lock.ts';
import { firstToSucceed } from './first-to-succeed.ts';
import { noRoomRemedy } from './no-room.ts';
import { disownPidFile, stopPostmaster } from './postmaster.ts';
import type { Programs } from './programs.ts';
import { keepLast, linesOf, spawnAs } from './spawn-as.ts';

/** A port may be taken between its choice and its use; backends of a killed postmaster take a moment to end. */
const START_ATTEMPTS_MAX = 5;
const RETRY_INTERVAL_MS = 500;
/** Recovery after a crash reads up to `max_wal_size`. */
const START_TIMEOUT_MS = 300_000;

/** A running PostgreSQL. */
export interface Server {
  programs: Programs;
  port: number;
  /** Resolves when it has ended, asked for or not. */
  ended: Promise<void>;
  /** The last FATAL and PANIC lines that it wrote about itself, without those about clients. */
  reasons: readonly string[];
  /** Ends sessions, writes everything and stops; nothing happens if it has ended. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  settings: Record<string, string>;
  /** TCP port on 127.0.0.1; a free one if left out. */
  port?: number | undefined;
  /** Held by every process of it, as long as one lives. */
  lock: FileLock;
}

/** A line of PostgreSQL about itself that an operator must see; clients that are refused are FATAL to themselves only. */
export const isSerious = (line: string): boolean =>
  / PANIC: /.test(line) || (/ FATAL: /.test(line) && !line.includes('client backend'));

/**
 * Starts a cluster by the first of its programs that can.
 * @throws Error with what PostgreSQL wrote last, if it does not start
 */
export const startServer = (cluster: Cluster, options: ServerOptions): Promise<Server> =>
  firstToSucceed(cluster.programs, (programs) => startPrograms(cluster, programs, options), cluster.failed);

async function startPrograms(
  cluster: Cluster,
  programs: Programs,
  { settings, port: fixedPort, lock }: ServerOptions,
): Promise<Server> {
  // Windows has no containers of one kernel, and hands on its handles in another way.
  const inherited = process.platform === 'win32' ? undefined : lock.fd;
  for (let attempt = 1; ; attempt++) {
    const port = fixedPort ?? (await freePort());
    const flags = Object.entries({ ...settings, port: `${port}` }).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ]);
    const args = ['-D', cluster.directory, ...flags];
    await disownPidFile(cluster.directory);
    const child = spawnAs(cluster.user, programs.postgres, args, inherited);
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
    const reasons: string[] = [];
    const failure = await readiness(child, (line) => {
      if (isSerious(line)) keepLast(reasons, line.replace(/^.*?(?=FATAL|PANIC)/, ''));
      cluster.log(line);
    });
    if (failure === null) return running(child, { programs, port, ended, reasons });
    if (
      attempt === START_ATTEMPTS_MAX ||
      !/address already in use|could not bind|still in use/i.test(failure)
    ) {
      const remedy = noRoomRemedy(failure, cluster.directory);
      throw new Error(`PostgreSQL did not start in ${cluster.directory}: ${failure}${remedy}`);
    }
    await pause(RETRY_INTERVAL_MS);
  }
}

/** Null once connections are accepted; its last output if the process has ended. */
function readiness(child: ChildProcess, log: (line: string) => void): Promise<string | null> {
  return new Promise((resolve) => {
    const lines: string[] = [];
    const timer = setTimeout(() => child.kill('SIGQUIT'), START_TIMEOUT_MS);
    const settle = (result: string | null) => {
      clearTimeout(timer);
      resolve(result);
    };
    linesOf(child, (line) => {
      keepLast(lines, line);
      log(line);
      if (line.includes('database system is ready to accept connections')) settle(null);
    });
    child.once('error', (error) => keepLast(lines, error.message));
    child.once('close', () => settle(lines.join(' ')));
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

function running(child: ChildProcess, server: Omit<Server, 'stop'>): Server {
  let hasEnded = false;
  void server.ended.then(() => {
    hasEnded = true;
  });
  return { ...server, stop: () => stopPostmaster(child.pid!, () => hasEnded) };
}
