import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
// By their paths: Jest's global setup loads this file too.
import { linesOf, runAs, spawnAs } from '../../libs/database/src/embedded/spawn-as.ts';
import { type SystemUser, systemUser } from '../../libs/database/src/embedded/system-user.ts';
import { migrate, openDatabase } from '../../libs/database/src/index.ts';
import { freePort } from './free-port.ts';
import { withDatabase } from './test-server.ts';

const run = promisify(execFile);

/** Debian's folders of programs, one for each version. */
const DEBIAN = '/usr/lib/postgresql';
const SCRIPT = 'deploy/citus/distribute.sql';
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_preload_libraries: 'citus',
  'citus.node_conninfo': 'sslmode=disable',
  'citus.local_hostname': '127.0.0.1',
  max_connections: '200',
  max_prepared_transactions: '400',
  shared_buffers: '64MB',
  jit: 'off',
  TimeZone: 'UTC',
  fsync: 'off',
  full_page_writes: 'off',
};

const MACHINES = ['coordinator', 'worker1', 'worker2'];

/** Folder of the programs of a PostgreSQL that has Citus; undefined if the system has none. */
function programsWithCitus(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : [];
  return versions
    .map((version) => join(DEBIAN, version))
    .filter((folder) => existsSync(join(folder, 'lib/citus.so')))
    .map((folder) => join(folder, 'bin'))[0];
}

/** Why no Citus can be started here, as a sentence; undefined if it can. */
export const whyNoCitus = (): string | undefined =>
  programsWithCitus() === undefined
    ? 'Citus must be installed for the PostgreSQL of the system (docs/scaling.md)'
    : undefined;

/** A coordinator and two workers of Citus on this machine. */
export class CitusCluster {
  private constructor(
    private readonly folder: string,
    /** The coordinator first. */
    readonly urls: readonly string[],
    private readonly servers: ChildProcess[],
  ) {}

  static async start(): Promise<CitusCluster> {
    const programs = programsWithCitus();
    if (programs === undefined) throw new Error(whyNoCitus());
    const folder = await mkdtemp(join(tmpdir(), 'posture-citus-'));
    await chmod(folder, 0o777);
    const user = await systemUser();
    const urls: string[] = [];
    const servers: ChildProcess[] = [];
    for (const name of MACHINES) {
      const port = await freePort();
      const directory = join(folder, name);
      await runAs(user, join(programs, 'initdb'), [
        ...['-D', directory, '-A', 'trust', '-U', 'posture', '--encoding=UTF8', '--locale=C'],
        '--no-sync',
      ]);
      servers.push(await startServer(programs, directory, port, user));
      urls.push(`postgres://posture@127.0.0.1:${port}/postgres`);
    }
    return new CitusCluster(folder, urls, servers);
  }

  /** Ends the last worker as its crash would: nothing is closed. */
  async crashWorker(): Promise<void> {
    await ended(this.servers.at(-1)!, 'SIGQUIT');
  }

  /** Starts it again, with its files and its address. */
  async startWorker(): Promise<void> {
    const directory = join(this.folder, MACHINES.at(-1)!);
    const port = Number(new URL(this.urls.at(-1)!).port);
    this.servers.splice(-1, 1, await startServer(programsWithCitus()!, directory, port, await systemUser()));
  }

  async stop(): Promise<void> {
    for (const server of this.servers) await ended(server, 'SIGINT');
    await rm(this.folder, { recursive: true, force: true });
  }
}

async function ended(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const closed = once(server, 'close');
  server.kill(signal);
  await closed;
}

async function startServer(
  programs: string,
  directory: string,
  port: number,
  user: SystemUser | undefined,
): Promise<ChildProcess> {
  const flags = Object.entries({ ...SETTINGS, port: `${port}` }).flatMap(([key, value]) => [
    '-c',
    `${key}=${value}`,
  ]);
  const child = spawnAs(user, join(programs, 'postgres'), ['-D', directory, ...flags]);
  const lines: string[] = [];
  await new Promise<void>((resolve, reject) => {
    linesOf(child, (line) => {
      lines.push(line);
      if (line.includes('ready to accept connections')) resolve();
    });
    child.once('close', () => reject(new Error(`PostgreSQL did not start: ${lines.join('\n')}`)));
  });
  return child;
}

async function onServer(url: string, statements: readonly string[]): Promise<void> {
  const server = openDatabase(url, { max: 1 });
  try {
    for (const statement of statements) await server.pool.query(statement);
  } finally {
    await server.close();
  }
}

/**
 * Creates a database on all machines of a cluster, without tables.
 * @param urls of the machines, the coordinator first
 * @returns its address on the coordinator
 */
export async function createOnCitus(urls: readonly string[], name: string): Promise<string> {
  for (const url of urls) {
    await onServer(url, [`create database ${name}`]);
    await onServer(withDatabase(url, name), ['create extension citus']);
  }
  const [coordinator, ...workers] = urls.map((url) => withDatabase(url, name));
  const { port } = new URL(coordinator!);
  await onServer(coordinator!, [
    `select citus_set_coordinator_host('127.0.0.1', ${port})`,
    ...workers.map((url) => `select citus_add_node('127.0.0.1', ${new URL(url).port})`),
  ]);
  return coordinator!;
}

/** Migrates a database of Citus and divides its tables, as docs/scaling.md describes it. */
export async function divide(url: string): Promise<void> {
  const database = openDatabase(url, { max: 1 });
  await migrate(database.pool);
  await database.close();
  const psql = join(programsWithCitus()!, 'psql');
  await run(psql, [url, '--quiet', '--set', 'ON_ERROR_STOP=1', '--set', 'shards=8', '--file', SCRIPT]);
}

export async function dropOnCitus(urls: readonly string[], name: string): Promise<void> {
  for (const url of urls) await onServer(url, [`drop database if exists ${name} with (force)`]);
}
