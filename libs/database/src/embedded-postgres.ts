import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { makeFolder } from '#libs/durable-file';
import { findBinaries } from './embedded/binaries.ts';
import { openCluster, SUPERUSER } from './embedded/cluster.ts';
import type { FileLock } from './embedded/file-lock.ts';
import { clearOrphan } from './embedded/postmaster.ts';
import { type Server, startServer } from './embedded/server.ts';
import { assertReachable, systemUser } from './embedded/system-user.ts';
import { claimInstance } from './running-instance.ts';

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
  // With the kind of process, which tells a failing server from a refused client.
  log_line_prefix: '%m [%p] %b ',
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
  /** Resolves when the PostgreSQL that runs now has ended, asked for or not. */
  readonly ended: Promise<void>;
  /** Its last FATAL and PANIC lines about itself. */
  readonly reasons: readonly string[];
  /**
   * Starts it again, at the same URL, when it has ended by itself.
   * @throws Error with what PostgreSQL wrote last, where it does not start
   */
  restart(): Promise<void>;
  /** Ends sessions, writes everything and stops; further calls wait for the same. */
  stop(): Promise<void>;
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
  const claim = await claimInstance(directory);
  let lock: FileLock | undefined;
  try {
    const cluster = await openCluster({ directory, binaries, user, log: options.log });
    lock = await clearOrphan(directory, options.log);
    const settings = { ...SETTINGS, ...options.settings };
    const start = (port?: number) => startServer(cluster, { settings, port, lock: lock! });
    const server = await start(options.port);
    const url = `postgres://${SUPERUSER}:${cluster.password}@127.0.0.1:${server.port}/postgres`;
    await claim.announce(url);
    return running(url, server, start, async () => {
      lock?.release();
      await claim.release();
    });
  } catch (error) {
    lock?.release();
    await claim.release();
    throw error;
  }
}

/** Answers the path without symbolic links above it: an orphan is known by it. */
async function makeParent(directory: string): Promise<string> {
  await makeFolder(dirname(directory));
  return join(await realpath(dirname(directory)), basename(directory));
}

function running(
  url: string,
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
    url,
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
