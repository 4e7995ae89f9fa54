import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { basename, dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { type Binaries, findBinaries } from './embedded/binaries.ts';
import { clearOrphan, stopPostmaster } from './embedded/postmaster.ts';
import { assertReachable, type SystemUser, systemUser } from './embedded/system-user.ts';
import { announceInstance, claimInstance, releaseInstance } from './running-instance.ts';

/** A port may be taken between its choice and its use; backends of a killed postmaster take a moment to end. */
const START_ATTEMPTS_MAX = 5;
const RETRY_INTERVAL_MS = 500;
/** Recovery after a crash reads up to `max_wal_size`. */
const START_TIMEOUT_MS = 300_000;
/** Lines of a failed program that its error quotes. */
const LAST_LINES_MAX = 5;

const SUPERUSER = 'postgres';

/** For a small machine that runs the service beside it; every commit reaches the disk (fsync stays on). */
const SETTINGS: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '60',
  shared_buffers: '256MB',
  maintenance_work_mem: '128MB',
  wal_compression: 'on',
  max_wal_size: '2GB',
  min_wal_size: '256MB',
  checkpoint_timeout: '10min',
  jit: 'off',
  TimeZone: 'UTC',
  log_checkpoints: 'off',
  // Statements, rows and details hold signals and must not reach the service's log.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};

export interface EmbeddedPostgresOptions {
  /** Folder of the cluster, made where it is missing; its password and a note for other programs lie beside it. */
  directory: string;
  /** Told what PostgreSQL says, line by line. */
  log: (line: string) => void;
  /** Server settings beside or instead of the usual ones. */
  settings?: Record<string, string>;
  /** TCP port on 127.0.0.1; a free one where left out. */
  port?: number;
}

export interface EmbeddedPostgres {
  /** With user and password; 127.0.0.1 only. */
  url: string;
  /** Resolves when PostgreSQL has ended, asked for or not. */
  ended: Promise<void>;
  /** Ends sessions, writes everything and stops; further calls wait for the same. */
  stop(): Promise<void>;
}

interface Cluster {
  directory: string;
  password: string;
  binaries: Binaries;
  user: SystemUser | undefined;
  log: (line: string) => void;
}

/**
 * Starts the PostgreSQL of `directory` on a free port, initialising it first where it is new. It is a process group
 * of its own, so that Ctrl-C in a terminal does not stop it before the service; after a kill -9 of the service it
 * lives on, and the next start stops it first.
 * @throws Error with a sentence that says what to do: the folder is in use, or not to be entered, or its password lost
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const directory = await makeParent(resolve(options.directory));
  const user = await systemUser();
  const binaries = findBinaries();
  if (user) for (const path of [directory, binaries.postgres]) await assertReachable(path, user);
  await claimInstance(directory);
  try {
    const password = await readOrMakePassword(directory, user);
    const cluster = { directory, password, binaries, user, log: options.log };
    if (await isMissing(directory)) await initialise(cluster);
    await clearOrphan(directory, options.log);
    return await start(cluster, { ...SETTINGS, ...options.settings }, options.port);
  } catch (error) {
    await releaseInstance(directory);
    throw error;
  }
}

/** Answers the path without symbolic links above it: an orphan is known by it. */
async function makeParent(directory: string): Promise<string> {
  await mkdir(dirname(directory), { recursive: true });
  return join(await realpath(dirname(directory)), basename(directory));
}

const isMissing = (path: string): Promise<boolean> =>
  stat(path).then(
    () => false,
    () => true,
  );

async function readOrMakePassword(directory: string, user: SystemUser | undefined): Promise<string> {
  const file = `${directory}.password`;
  if (!(await isMissing(file))) return (await readFile(file, 'utf8')).trim();
  if (!(await isMissing(directory))) {
    throw new Error(`the password of the database in ${directory} is missing: put ${file} back`);
  }
  const password = randomBytes(24).toString('hex');
  const temporary = `${file}.new`;
  await rm(temporary, { force: true });
  await writeFile(temporary, `${password}\n`, { mode: 0o600, flag: 'wx' });
  // initdb reads it as the user that PostgreSQL runs as.
  if (user) await chown(temporary, user.uid, user.gid);
  await rename(temporary, file);
  return password;
}

/** Under a temporary name first: one that a kill cut off is done anew by the next start, whatever still runs of it. */
async function initialise({ directory, binaries, user, log }: Cluster): Promise<void> {
  await removeUnfinished(directory);
  const temporary = await mkdtemp(unfinishedPrefix(directory));
  if (user) await chown(temporary, user.uid, user.gid);
  log('initialising PostgreSQL');
  const child = spawnAs(user, binaries.initdb, [
    `--pgdata=${temporary}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${directory}.password`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // The same order and case rules on every machine.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ]);
  const lines: string[] = [];
  linesOf(child, (line) => keepLast(lines, line));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`PostgreSQL could not be initialised in ${directory}: ${lines.join(' ')}`);
  await rename(temporary, directory);
}

const unfinishedPrefix = (directory: string) => `${directory}.initialising-`;

async function removeUnfinished(directory: string): Promise<void> {
  const folder = dirname(directory);
  const prefix = basename(unfinishedPrefix(directory));
  for (const name of await readdir(folder)) {
    if (name.startsWith(prefix)) await rm(join(folder, name), { recursive: true, force: true });
  }
}

async function start(
  cluster: Cluster,
  settings: Record<string, string>,
  fixedPort?: number,
): Promise<EmbeddedPostgres> {
  for (let attempt = 1; ; attempt++) {
    const port = fixedPort ?? (await freePort());
    const flags = Object.entries({ ...settings, port: `${port}` }).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ]);
    const args = ['-D', cluster.directory, ...flags];
    const child = spawnAs(cluster.user, cluster.binaries.postgres, args);
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
    const failure = await readiness(child, cluster.log);
    if (failure === null) {
      const url = `postgres://${SUPERUSER}:${cluster.password}@127.0.0.1:${port}/postgres`;
      await announceInstance(cluster.directory, url);
      return running(cluster.directory, url, child, ended);
    }
    if (
      attempt === START_ATTEMPTS_MAX ||
      !/address already in use|could not bind|still in use/i.test(failure)
    ) {
      throw new Error(`PostgreSQL did not start in ${cluster.directory}: ${failure}`);
    }
    await pause(RETRY_INTERVAL_MS);
  }
}

/** A process group and session of its own, without the service's secrets in its environment. */
function spawnAs(user: SystemUser | undefined, program: string, args: string[]): ChildProcess {
  const { PATH, SystemRoot } = process.env;
  return spawn(program, args, {
    ...user,
    cwd: dirname(program),
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...(PATH && { PATH }), ...(SystemRoot && { SystemRoot }), LC_ALL: 'C' },
  });
}

function linesOf(child: ChildProcess, onLine: (line: string) => void): void {
  createInterface({ input: child.stderr! }).on('line', onLine);
}

function keepLast(lines: string[], line: string): void {
  lines.push(line);
  if (lines.length > LAST_LINES_MAX) lines.shift();
}

/** Null once connections are accepted; otherwise, with the process ended, what it said last. */
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

function running(
  directory: string,
  url: string,
  child: ChildProcess,
  ended: Promise<void>,
): EmbeddedPostgres {
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
  });
  const stop = async () => {
    await stopPostmaster(child.pid!, () => hasEnded);
    await releaseInstance(directory);
  };
  let stopped: Promise<void> | undefined;
  return {
    url,
    ended,
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}
