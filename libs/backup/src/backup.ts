import { join } from 'node:path';
import { clockAfter } from '#libs/domain';
import type { StoredRecord } from '#libs/event-log';
import { decodeBatch } from '#libs/fold';
import { BACKUP_FILE, CheckpointFile, FileError, type LogSource, SegmentLog } from '#libs/log-archive';
import { BackupError } from './backup-error.ts';

/** In the directory of a backup. */
export const TABLES_FILE = 'tables.posture-backup';
export const LOG_FOLDER = 'log';

/** A part of the log: up to an instant, or all of it. */
export interface LogCut {
  source: LogSource;
  /** Time of its last event, in epoch milliseconds: the greatest clock of its partitions. */
  clock: number;
}

/** A complete backup: `tables.posture-backup`, and its segments (docs/log-file.md "A backup"). */
export class Backup {
  private constructor(
    readonly folder: string,
    readonly tables: CheckpointFile,
    private readonly log: SegmentLog,
  ) {}

  /**
   * Reads only the header.
   * @throws FileError if there is no backup, or it is damaged in its header
   */
  static async open(folder: string): Promise<Backup> {
    const tables = await openTables(folder);
    if (!tables) {
      throw new FileError(
        `${folder} contains no ${TABLES_FILE}: name the directory of a complete \`posture backup\``,
      );
    }
    return new Backup(folder, tables, new SegmentLog(join(folder, LOG_FOLDER), tables));
  }

  /** Records of the log in it. */
  get records(): number {
    return this.tables.records;
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

/** The tables of the last whole backup in a directory; undefined if there is none. */
export async function openTables(folder: string): Promise<CheckpointFile | undefined> {
  try {
    return await CheckpointFile.open(join(folder, TABLES_FILE), BACKUP_FILE);
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
