import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '#libs/database';
import type { EventLog } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import {
  BACKUP_FILE,
  type BackedUpPartition,
  backUpPartition,
  CheckpointFile,
  type CheckpointTable,
  FileError,
  syncFolder,
  writeCheckpoint,
} from '#libs/log-archive';
import {
  beginPlainSnapshot,
  type Connection,
  columnsOf,
  copyOut,
  quoted,
  readSiteVersion,
  type SiteVersion,
} from '#libs/replay';
import { LOG_FOLDER, openTables, TABLES_FILE } from './backup.ts';
import { BackupBusyError } from './backup-error.ts';
import { OUTSIDE_TABLES } from './outside-tables.ts';

export interface MadeBackup {
  logId: string;
  /** Records of the log in it, and those of them that this call has written. */
  records: number;
  written: number;
  /** Partition → next offset. */
  positions: number[];
}

/** One backup of a site at a time; the lock ends with its session, whatever becomes of the process. */
const BACKUP_LOCK = 7_305_004;

/**
 * Copies a site into a directory, or what came since the last backup there: the log up to its ends at the call, and the
 * tables that no log holds, as they were a moment before those. The site may be in use. The last whole backup stays
 * until this one is whole; interrupted, the same call goes on.
 * @param log with its archive
 * @param folder made where it does not exist, for its owner alone
 * @param onCopied told as it goes on
 * @throws BackupBusyError; FileError where the directory holds another site's backup, or a damaged one; as
 *   `backUpPartition`
 */
export async function backUpSite(
  live: Database,
  log: EventLog,
  folder: string,
  onCopied: (records: number, of: number) => void = () => {},
): Promise<MadeBackup> {
  const lock = await live.pool.connect();
  const snapshot = await live.pool.connect();
  try {
    const { rows } = await lock.query('select pg_try_advisory_lock($1) as is_ours', [BACKUP_LOCK]);
    if (!rows[0].is_ours) throw new BackupBusyError('another backup is under way: wait for its end');
    const site = await readSiteVersion(live);
    const last = await openTables(folder);
    if (last && last.logId !== site.logId) {
      throw new FileError(`${last.path} is a backup of log ${last.logId}, but this is log ${site.logId}`);
    }
    await mkdir(join(folder, LOG_FOLDER), { recursive: true, mode: 0o700 });
    // The tables first: what they tell of is in the log then.
    await beginPlainSnapshot(snapshot);
    const partitions = await backUpLog(log, site, folder, last, onCopied);
    await putTables(folder, { ...site, positions: partitions }, snapshot);
    return {
      logId: site.logId,
      records: sum(partitions.map(({ next }) => next)),
      written: sum(partitions.map(({ written }) => written)),
      positions: partitions.map(({ next }) => next),
    };
  } finally {
    snapshot.release(true);
    lock.release(true);
  }
}

async function backUpLog(
  log: EventLog,
  { logId }: SiteVersion,
  folder: string,
  last: CheckpointFile | undefined,
  onCopied: (records: number, of: number) => void,
): Promise<BackedUpPartition[]> {
  const ends = await log.ends(INTAKE_TOPIC);
  const of = Math.max(0, sum(ends) - (last?.records ?? 0));
  const partitions: BackedUpPartition[] = [];
  let copied = 0;
  onCopied(0, of);
  for (const [partition, to] of ends.entries()) {
    const target = { logId, partitions: ends.length, partition, to, known: last?.positions[partition] };
    const onRecords = (records: number) => {
      copied += records;
      onCopied(Math.min(of, Math.round(copied)), of);
    };
    partitions.push(await backUpPartition(log, target, join(folder, LOG_FOLDER), onRecords));
  }
  return partitions;
}

/** Read back before it takes the place of the last one. */
async function putTables(
  folder: string,
  header: SiteVersion & { positions: BackedUpPartition[] },
  snapshot: Connection,
): Promise<void> {
  const path = join(folder, TABLES_FILE);
  const fresh = `${path}.new`;
  try {
    await writeCheckpoint(fresh, header, tablesOf(snapshot), BACKUP_FILE);
    await (await CheckpointFile.open(fresh, BACKUP_FILE)).verify();
    await rename(fresh, path);
    await syncFolder(folder);
  } finally {
    await rm(fresh, { force: true });
  }
}

async function* tablesOf(snapshot: Connection): AsyncGenerator<CheckpointTable> {
  for (const { name, key } of OUTSIDE_TABLES) {
    const columns = await columnsOf(snapshot, `public.${name}`);
    const query = `select ${quoted(columns)} from public.${name} order by ${quoted(key)}`;
    yield { name, columns, rows: copyOut(snapshot, query) };
  }
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
