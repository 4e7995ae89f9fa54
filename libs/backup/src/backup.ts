import { join } from 'node:path';
import { clockAfter } from '#libs/domain';
import type { StoredRecord } from '#libs/event-log';
import { decodeBatch } from '#libs/fold';
import { BACKUP_FILE, CheckpointFile, FileError, type LogSource, SegmentLog } from '#libs/log-archive';
import { BackupError } from './backup-error.ts';
import { OUTSIDE_TABLES } from './outside-tables.ts';

/** In the directory of a backup. */
export const TABLES_FILE = 'tables.posture-backup';
export const KEYS_FILE = 'keys.posture-backup';
export const LOG_FOLDER = 'log';

/** A part of the log: up to an instant, or all of it. */
export interface LogCut {
  source: LogSource;
  /** Time of its last event, in epoch milliseconds: the greatest clock of its partitions. */
  clock: number;
}

/** Where the log of a backup ends. */
export interface LogEnd {
  logId: string;
  /** Chain heads at the end, by partition number, in hexadecimal digits. */
  heads: readonly string[];
}

/** A backup of an earlier version has no keys. */
const FIRST_TABLES_WITH_KEYS = '0024';

export interface OpenedKeys {
  /** File of the keys; omitted: the one in the directory. */
  keysFile?: string | undefined;
  /** Whether the backup is used without keys: sealed texts are lost. Default: false. */
  withoutKeys?: boolean | undefined;
}

/** A complete backup: `tables.posture-backup`, `keys.posture-backup`, and segments (docs/log-file.md "A backup"). */
export class Backup {
  private constructor(
    readonly folder: string,
    readonly tables: CheckpointFile,
    /** Undefined: sealed texts cannot be opened. */
    readonly keys: CheckpointFile | undefined,
    private readonly log: SegmentLog,
  ) {}

  /**
   * Reads only the headers.
   * @throws FileError if there is no backup, it is damaged in its headers, or one file has the place of another
   * @throws BackupError if its keys are missing, older than the backup, or those of another site
   */
  static async open(folder: string, given: OpenedKeys = {}): Promise<Backup> {
    const tables = await openIfThere(join(folder, TABLES_FILE));
    if (!tables) {
      throw new FileError(
        `${folder} contains no ${TABLES_FILE}: name the directory of a complete \`posture backup\``,
      );
    }
    if (await isKeysFile(tables)) {
      throw new FileError(`${tables.path} is a file of keys: put back the file of the tables`);
    }
    const keys = await openKeys(folder, tables, given);
    return new Backup(folder, tables, keys, new SegmentLog(join(folder, LOG_FOLDER), tables));
  }

  /** Records of the log in it. */
  get records(): number {
    return this.tables.records;
  }

  get end(): LogEnd {
    const { logId, positions } = this.tables;
    return { logId, heads: positions.map(({ head }) => head.toString('hex')) };
  }

  /**
   * All records of a partition, in bounded batches.
   * @throws FileError at the first place that is damaged, missing or too much
   */
  partition(partition: number): AsyncIterable<StoredRecord[]> {
    return this.log.of(partition);
  }

  /**
   * Reads all of it, and finds the longest prefix of each partition whose clock is not past an instant.
   * @param until epoch milliseconds; omitted: everything
   * @param onRecords receives how many more were read
   * @throws FileError at the first place that is damaged, missing or too much
   * @throws BackupError if the log begins after the instant
   */
  async verify(until?: number, onRecords: (count: number) => void = () => {}): Promise<LogCut> {
    await this.tables.verify();
    await this.keys?.verify();
    const prefixes = this.log.extent.ends.map(() => new Prefix(until ?? Number.POSITIVE_INFINITY));
    for await (const records of this.log.batches()) {
      onRecords(records.length);
      for (const record of records) prefixes[record.partition]!.take(record);
    }
    const ends = prefixes.map(({ end }) => end);
    if (ends.includes(0)) throw new BackupError('no data exists at that time: the log begins later');
    return { source: this.log.upTo(ends), clock: Math.max(...prefixes.map(({ clock }) => clock)) };
  }
}

/** @throws BackupError */
async function openKeys(
  folder: string,
  tables: CheckpointFile,
  { keysFile, withoutKeys = false }: OpenedKeys,
): Promise<CheckpointFile | undefined> {
  if (withoutKeys) return undefined;
  const path = keysFile ?? join(folder, KEYS_FILE);
  const keys = await openIfThere(path);
  if (!keys) {
    if (keysFile === undefined && tables.tables < FIRST_TABLES_WITH_KEYS) return undefined;
    throw new BackupError(
      `${path} does not exist: it has the keys of the sealed texts. Name the file with --keys, or restore with --without-keys; the texts are then lost`,
    );
  }
  if (!(await isKeysFile(keys))) {
    throw new FileError(`${path} is not a file of keys: name the one that \`posture backup\` wrote`);
  }
  if (keys.logId !== tables.logId) {
    throw new BackupError(`${path} has keys of log ${keys.logId}, but the backup is of log ${tables.logId}`);
  }
  const isOlder = tables.positions.some(
    ({ next }, partition) => next > (keys.positions[partition]?.next ?? 0),
  );
  if (isOlder) {
    throw new BackupError(`${path} is older than the backup: name the keys of this backup, or later ones`);
  }
  return keys;
}

const ERASABLE = new Set(OUTSIDE_TABLES.flatMap(({ name, isErasable }) => (isErasable ? name : [])));

/** Whether a file has the tables that an erasure concerns, and not the others: reads up to its first table. */
export async function isKeysFile(file: CheckpointFile): Promise<boolean> {
  for await (const { name } of file.readTables()) return ERASABLE.has(name);
  return false;
}

/** Tables of a complete backup; undefined if the file does not exist. */
export async function openIfThere(path: string): Promise<CheckpointFile | undefined> {
  try {
    return await CheckpointFile.open(path, BACKUP_FILE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The longest prefix of a partition whose clock is not after an instant (R-HIST-2). */
class Prefix {
  end = 0;
  /** Of that beginning, in epoch ms. */
  clock = 0;
  private current = 0;

  constructor(private readonly until: number) {}

  take(record: StoredRecord): void {
    // Corrupt records have no time and no effect.
    const event = decodeBatch([record], this.current).decoded[0]?.event;
    if (event) this.current = clockAfter(this.current, event);
    // A clock that was ahead may have been set back: later records may be before the instant again.
    if (this.current > this.until) return;
    this.clock = this.current;
    this.end = record.offset + 1;
  }
}
