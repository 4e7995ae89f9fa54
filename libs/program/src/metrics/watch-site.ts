import type { Config } from '#libs/config';
import type { Database } from '#libs/database';
import {
  atScrape,
  clockSkewSeconds,
  databaseConnections,
  dataDirFreeBytes,
  dataDirSizeBytes,
} from '#libs/telemetry';
import { diskOf } from './disk.ts';

/**
 * Reports at every scrape the environment of the process: its connections, the database's clock, and the disk of
 * `DATA_DIR` if the embedded log is there.
 * @returns ends it
 */
export function watchSite(
  { dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>,
  database: Database,
): () => void {
  for (const gauge of [dataDirFreeBytes, dataDirSizeBytes]) gauge.remove();
  const ends = [
    atScrape('database connections', () => reportConnections(database)),
    atScrape('database clock', () => reportSkew(database)),
    ...(databaseUrl === undefined ? [atScrape('data folder', () => reportDisk(dataDir))] : []),
  ];
  return () => {
    for (const end of ends) end();
  };
}

function reportConnections({ pool }: Database): void {
  databaseConnections.set({ state: 'idle' }, pool.idleCount);
  databaseConnections.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
  databaseConnections.set({ state: 'waiting' }, pool.waitingCount);
}

async function reportSkew({ pool }: Database): Promise<void> {
  clockSkewSeconds.remove();
  const before = Date.now();
  const { rows } = await pool.query('select clock_timestamp() as now');
  // It was read somewhere on the way there and back.
  clockSkewSeconds.set((before + (Date.now() - before) / 2 - rows[0].now) / 1000);
}

async function reportDisk(dataDir: string): Promise<void> {
  dataDirFreeBytes.remove();
  dataDirSizeBytes.remove();
  const disk = await diskOf(dataDir);
  if (!disk) return;
  dataDirFreeBytes.set(disk.freeBytes);
  dataDirSizeBytes.set(disk.sizeBytes);
}
