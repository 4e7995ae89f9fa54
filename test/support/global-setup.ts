import { randomInt } from 'node:crypto';
import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// By its path: Jest loads this file before the package's own import names lead to sources.
import { migrate, NPM_PROGRAMS, openDatabase, startEmbeddedPostgres } from '../../libs/database/src/index.ts';
import { CitusCluster } from './citus-cluster.ts';
import { PART_VARIABLE, PARTS, part } from './part-of-run.ts';
import { keepRunning } from './running-server.ts';
import { SERVER_URL_VARIABLE, TEMPLATE, useCitus, withDatabase } from './test-server.ts';

/** Nothing of a test run must survive a power cut, so it need not wait for the disk. */
const SETTINGS = { fsync: 'off', full_page_writes: 'off', max_connections: '200', max_wal_size: '512MB' };

/** Linux's folder in memory. */
const MEMORY_FOLDER = '/dev/shm';
/** Of a run's databases and their log, with room for the tests themselves. */
const MEMORY_BYTES_MIN = 6 * 2 ** 30;

/** One PostgreSQL a run, with a migrated template that `testDatabase` copies; or a cluster of Citus (`npm run test:citus`). */
export default async function globalSetup(): Promise<void> {
  process.env[PART_VARIABLE] ??= String(randomInt(PARTS));
  part();
  if (process.env.TEST_CITUS === 'true') {
    const cluster = await CitusCluster.start();
    keepRunning({ stop: () => cluster.stop(), removeFiles: async () => {} });
    process.env[SERVER_URL_VARIABLE] = cluster.urls[0]!;
    useCitus(cluster.urls);
    return;
  }
  const folder = await mkdtemp(join(await fastFolder(), 'posture-test-'));
  // PostgreSQL runs as another user if the tests run as root.
  await chmod(folder, 0o755);
  const server = await startEmbeddedPostgres({
    directory: join(folder, 'postgres'),
    log: () => {},
    settings: SETTINGS,
    // The same on every machine, independent of its system's PostgreSQL.
    postgresBin: NPM_PROGRAMS,
  });
  keepRunning({ stop: server.stop, removeFiles: () => rm(folder, { recursive: true, force: true }) });
  await makeTemplate(server.url);
  process.env[SERVER_URL_VARIABLE] = server.url;
}

/** In memory if there is enough: on ext4, copying and removing a database takes five times as much CPU. */
async function fastFolder(): Promise<string> {
  const room = await statfs(MEMORY_FOLDER).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return Math.min(room, process.availableMemory()) < MEMORY_BYTES_MIN ? tmpdir() : MEMORY_FOLDER;
}

async function makeTemplate(url: string): Promise<void> {
  const server = openDatabase(url, { max: 1 });
  await server.pool.query(`create database ${TEMPLATE}`);
  await server.close();
  const template = openDatabase(withDatabase(url, TEMPLATE), { max: 1 });
  await migrate(template.pool);
  await template.close();
}
