import { lstat, readdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { INTAKE_TOPIC } from '#libs/intake';
import type { BenchSite, SiteDatabase } from '../run/bench-site.ts';
import { CHANGE_TOPICS } from '../run/service.ts';

/** What a site takes of the disk, in bytes. */
export interface DiskUse {
  /** Tables and indexes. */
  database: number;
  /** The write-ahead log of PostgreSQL, which is kept up to `max_wal_size`. */
  writeAheadLog: number;
  log: number;
  /** All topics of changes. */
  changeTopics: number;
}

export async function diskUse({ folder }: BenchSite, { database }: SiteDatabase): Promise<DiskUse> {
  const { rows } = await database.pool.query('select pg_database_size(current_database())::float8 as bytes');
  const kafka = await sizesIn(join(folder, 'kafka'));
  const ofTopics = (topics: readonly string[]) =>
    sum(kafka.filter(({ path }) => topics.some((topic) => path.includes(`/${topic}-`))));
  return {
    database: rows[0].bytes,
    writeAheadLog: sum(await sizesIn(join(folder, 'postgres', 'pg_wal'))),
    log: ofTopics([INTAKE_TOPIC]),
    changeTopics: ofTopics(CHANGE_TOPICS),
  };
}

/** Bytes that can still be written to the disk of the site. */
export async function freeBytes({ folder }: BenchSite): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

interface FileSize {
  path: string;
  bytes: number;
}

/** Files may vanish meanwhile. Indexes of Kafka are sparse: their blocks count, not their length. */
export async function sizesIn(folder: string): Promise<FileSize[]> {
  const entries = await readdir(folder, { recursive: true });
  const sizes = entries.map(async (entry): Promise<FileSize[]> => {
    const path = join(folder, entry);
    const stats = await lstat(path).catch(() => undefined);
    return stats?.isFile() ? [{ path, bytes: stats.blocks * 512 }] : [];
  });
  return (await Promise.all(sizes)).flat();
}

export const sum = (sizes: readonly FileSize[]): number =>
  sizes.reduce((total, { bytes }) => total + bytes, 0);
