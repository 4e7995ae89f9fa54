import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { assertTablesOfThisVersion, type Database } from '#libs/database';
import { makeFolder } from '#libs/durable-file';
import type { EventLog } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import {
  type BackedUpPartition,
  backUpPartition,
  type CheckpointFile,
  type CheckpointPosition,
  FileError,
} from '#libs/log-archive';
import { beginPlainSnapshot, readSiteVersion, type SiteVersion, tablesOf } from '#libs/replay';
import { isKeysFile, KEYS_FILE, LOG_FOLDER, openIfThere, TABLES_FILE } from './backup.ts';
import { BackupBusyError } from './backup-error.ts';
import { erasuresOf, writeErasures } from './erasure-list.ts';
import { OUTSIDE_TABLES } from './outside-tables.ts';
import { removeTables, replaceTables } from './replace-tables.ts';

export interface CreatedBackup {
  logId: string;
  /** Records of the log in it, and those of them that this call has written. */
  records: number;
  written: number;
  /** Partition → next offset. */
  positions: number[];
}

export interface BackUpOptions {
  /** File of the keys; omitted: `keys.posture-backup` in the directory. Keys that an earlier call wrote there are deleted. */
  keysFile?: string | undefined;
  /** Called as it proceeds. */
  onCopied?: (records: number, of: number) => void;
}

const ERASABLE = OUTSIDE_TABLES.filter(({ isErasable }) => isErasable);
const OTHERS = OUTSIDE_TABLES.filter(({ isErasable }) => !isErasable);

/** Records that are copied in seconds. If more are missing, they are copied before the snapshot, which blocks vacuum. */
const RECORDS_IN_SNAPSHOT_MAX = 20_000;

/** One backup of a site at a time; the lock ends with its session, even if the process crashes. */
const BACKUP_LOCK = 7_305_004;

/**
 * Copies a site into a directory, or only the records since the last backup there: the log up to its ends at the call,
 * and the tables that are not folded from the log, as of a moment before. The site may be in use. The last complete
 * backup stays until this one is complete; after an interruption, the same call resumes. Keys are in a file of their own,
 * and only the latest ones are kept.
 * @param log with its archive
 * @param folder created if it does not exist, accessible only to its owner
 * @throws BackupBusyError; FileError if the directory or the file of keys belongs to another site, or is damaged, or if
 *   that file contains other data than keys; MigrationError if the tables are those of another version; as `backUpPartition`
 */
export async function backUpSite(
  live: Database,
  log: EventLog,
  folder: string,
  { keysFile = join(folder, KEYS_FILE), onCopied = () => {} }: BackUpOptions = {},
): Promise<CreatedBackup> {
  const lock = await live.pool.connect();
  const snapshot = await live.pool.connect();
  try {
    const { rows } = await lock.query('select pg_try_advisory_lock($1) as is_ours', [BACKUP_LOCK]);
    if (!rows[0].is_ours) throw new BackupBusyError('another backup is in progress: wait until it ends');
    await assertTablesOfThisVersion(live.pool);
    const site = await readSiteVersion(live);
    const [tablesFile, keysInFolder] = [join(folder, TABLES_FILE), join(folder, KEYS_FILE)];
    const last = await openIfThere(tablesFile);
    const lastKeys = await openIfThere(keysFile);
    for (const file of [last, lastKeys]) {
      if (!file || file.logId === site.logId) continue;
      throw new FileError(`${file.path} is a backup of log ${file.logId}, but this is log ${site.logId}`);
    }
    if (lastKeys && !(await isKeysFile(lastKeys))) throw otherFile(keysFile);
    await makeFolder(join(folder, LOG_FOLDER), 0o700);
    const keysPlace = await placeOf(keysFile);
    for (const path of [tablesFile, erasuresOf(folder)]) {
      if (keysPlace === (await placeOf(path))) throw otherFile(keysFile);
    }
    const copy = new LogCopy(log, site, join(folder, LOG_FOLDER), last, onCopied);
    await copyUntilLittleIsMissing(copy);
    // The tables before the end of the log: the log then contains what they refer to.
    await beginPlainSnapshot(snapshot);
    const positions = await copy.toEnd();
    const header = { ...site, positions };
    // The keys after the end of the log: they then open every text in it. They replace the last ones before the tables
    // do, because new keys open an old backup, and old keys do not open a new one.
    await beginPlainSnapshot(lock);
    await replaceTables(keysFile, header, tablesOf(lock, 'public', ERASABLE));
    await replaceTables(tablesFile, header, tablesOf(snapshot, 'public', OTHERS));
    if (keysPlace !== (await placeOf(keysInFolder))) await removeTables(keysInFolder);
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

const otherFile = (path: string) =>
  new FileError(`${path} is not a file of keys: it belongs to a backup. Name another file with --keys`);

/** A directory has many names. The file itself is not resolved: a new one takes the place of a link. */
const placeOf = async (path: string): Promise<string> => join(await realpath(dirname(path)), basename(path));

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

  /** Records that were not copied yet. */
  async missing(): Promise<number> {
    return sum(await this.log.ends(INTAKE_TOPIC)) - sum((this.known ?? []).map(({ next }) => next));
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

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

/** Passes, as long as each leaves less missing than the one before: with uploads as fast as copying, none would. */
async function copyUntilLittleIsMissing(copy: LogCopy): Promise<void> {
  let before = Number.POSITIVE_INFINITY;
  let missing = await copy.missing();
  while (missing > RECORDS_IN_SNAPSHOT_MAX && missing < before) {
    await copy.toEnd();
    before = missing;
    missing = await copy.missing();
  }
}
