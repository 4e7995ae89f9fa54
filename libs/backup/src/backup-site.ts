import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '#libs/database';
import { syncFolder } from '#libs/durable-file';
import type { EventLog } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import {
  BACKUP_FILE,
  type BackedUpPartition,
  backUpPartition,
  CheckpointFile,
  type CheckpointPosition,
  type CheckpointTable,
  FileError,
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
import { writeErasures } from './erasure-list.ts';
import { OUTSIDE_TABLES } from './outside-tables.ts';

export interface CreatedBackup {
  logId: string;
  /** Records of the log in it, and those of them that this call has written. */
  records: number;
  written: number;
  /** Partition → next offset. */
  positions: number[];
}

/** Records that are copied in seconds. If more are missing, they are copied before the snapshot, which blocks vacuum. */
const RECORDS_IN_SNAPSHOT_MAX = 20_000;

/** One backup of a site at a time; the lock ends with its session, even if the process crashes. */
const BACKUP_LOCK = 7_305_004;

/**
 * Copies a site into a directory, or only the records since the last backup there: the log up to its ends at the call,
 * and the tables that are not folded from the log, as of a moment before. The site may be in use. The last complete
 * backup stays until this one is complete; after an interruption, the same call resumes.
 * @param log with its archive
 * @param folder created if it does not exist, accessible only to its owner
 * @param onCopied called as it proceeds
 * @throws BackupBusyError; FileError if the directory holds another site's backup, or a damaged one; as
 *   `backUpPartition`
 */
export async function backUpSite(
  live: Database,
  log: EventLog,
  folder: string,
  onCopied: (records: number, of: number) => void = () => {},
): Promise<CreatedBackup> {
  const lock = await live.pool.connect();
  const snapshot = await live.pool.connect();
  try {
    const { rows } = await lock.query('select pg_try_advisory_lock($1) as is_ours', [BACKUP_LOCK]);
    if (!rows[0].is_ours) throw new BackupBusyError('another backup is in progress: wait until it ends');
    const site = await readSiteVersion(live);
    const last = await openTables(folder);
    if (last && last.logId !== site.logId) {
      throw new FileError(`${last.path} is a backup of log ${last.logId}, but this is log ${site.logId}`);
    }
    await mkdir(join(folder, LOG_FOLDER), { recursive: true, mode: 0o700 });
    const copy = new LogCopy(log, site, join(folder, LOG_FOLDER), last, onCopied);
    if ((await copy.missing()) > RECORDS_IN_SNAPSHOT_MAX) await copy.toEnd();
    // The tables before the end of the log: the log then contains what they refer to.
    await beginPlainSnapshot(snapshot);
    const positions = await copy.toEnd();
    await writeTables(folder, { ...site, positions }, snapshot);
    await writeErasures(live.db, folder);
    return {
      logId: site.logId,
      records: sum(positions.map(({ next }) => next)),
      written: copy.written,
      positions: positions.map(({ next }) => next),
    };
  } finally {
    snapshot.release(true);
    // By itself it would end with the session, a moment after this call.
    await lock.query('select pg_advisory_unlock_all()').catch(() => undefined);
    lock.release(true);
  }
}

/** Copies the missing records of the log into a folder. */
class LogCopy {
  /** Records that were written. */
  written = 0;
  private known: CheckpointPosition[] | undefined;
  private readonly begin: number;
  /** Progress report: how much the first call must copy, and how much it has copied. */
  private of: number | undefined;
  private done = 0;

  constructor(
    private readonly log: EventLog,
    private readonly site: SiteVersion,
    private readonly folder: string,
    last: CheckpointFile | undefined,
    private readonly onCopied: (records: number, of: number) => void,
  ) {
    this.known = last?.positions;
    this.begin = last?.records ?? 0;
  }

  /** Records beyond the last whole backup. */
  async missing(): Promise<number> {
    return sum(await this.log.ends(INTAKE_TOPIC)) - this.begin;
  }

  /** Up to the ends at the call. */
  async toEnd(): Promise<CheckpointPosition[]> {
    const ends = await this.log.ends(INTAKE_TOPIC);
    this.of ??= Math.max(0, sum(ends) - this.begin);
    const { of } = this;
    const partitions: BackedUpPartition[] = [];
    const onRecords = (records: number) => {
      this.done += records;
      this.onCopied(Math.min(of, Math.round(this.done)), of);
    };
    onRecords(0);
    for (const [partition, to] of ends.entries()) {
      const { logId } = this.site;
      const target = { logId, partitions: ends.length, partition, to, known: this.known?.[partition] };
      partitions.push(await backUpPartition(this.log, target, this.folder, onRecords));
    }
    this.written += sum(partitions.map(({ written }) => written));
    this.known = partitions;
    return partitions;
  }
}

/** Read back before it takes the place of the last one. */
async function writeTables(
  folder: string,
  header: SiteVersion & { positions: CheckpointPosition[] },
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
