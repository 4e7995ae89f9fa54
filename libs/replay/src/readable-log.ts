import type { EventLog, StoredRecord } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import { type LogExtent, type LogFile, readExtent } from '#libs/log-archive';
import { type Corrections, correctionsIn } from './corrections.ts';

/** An intake log that is read once, partition by partition in ascending order: a site's own, or one in a file. */
export interface ReadableLog {
  extent: LogExtent;
  /**
   * Records of a partition from offset 0 to its end, in bounded batches. A reader may stop early; each partition is
   * requested at most once, in ascending order.
   */
  read(partition: number): AsyncIterable<StoredRecord[]>;
  /** The offset after the last correction of a partition's clock; 0 if there is none. */
  correctedTo(partition: number): Promise<number>;
  /** Reads the rest if it is needed to verify that the log is complete: a file, to its checksum. */
  finish(): Promise<void>;
  /** Must be called after each reading, also a failed one. */
  close(): Promise<void>;
}

/** Receives how many more records were read, including skipped records. */
type OnRecords = (count: number) => void;

/**
 * The log of a site, up to the ends that it has now.
 * @param corrections only how far it is read depends on them
 * @throws LogContentError if it does not begin with its identity; RecordsGoneError, LogUnavailableError
 */
export async function siteLog(
  log: EventLog,
  corrections: () => Promise<Corrections>,
  onRecords: OnRecords = () => {},
): Promise<ReadableLog> {
  const extent = await readExtent(log);
  async function* read(partition: number): AsyncGenerator<StoredRecord[]> {
    for await (const records of log.read(INTAKE_TOPIC, partition, 0, extent.ends[partition]!)) {
      onRecords(records.length);
      yield records;
    }
  }
  const correctedTo = toOffset(corrections);
  return { extent, read, correctedTo, finish: async () => {}, close: async () => {} };
}

/** Requests them once, with the first offset. */
function toOffset(corrections: () => Promise<Corrections>): ReadableLog['correctedTo'] {
  let found: Promise<Corrections> | undefined;
  return async (partition) => {
    found ??= corrections();
    return (await found).get(partition) ?? 0;
  };
}

/**
 * A log in a file. It is read from start to end, so that records that a reader omits are skipped, but checked; a second
 * time for its corrections, if they are needed. Its methods throw LogContentError at the first damaged place; `finish` detects some damage.
 */
export function fileLog(file: LogFile, onRecords: OnRecords = () => {}): ReadableLog {
  const batches = file.batches();
  let held: StoredRecord[] = [];

  /** The next records, across partitions; empty at the end of the file. */
  async function next(): Promise<StoredRecord[]> {
    if (held.length === 0) {
      held = (await batches.next()).value ?? [];
      onRecords(held.length);
    }
    return held;
  }

  async function* read(partition: number): AsyncGenerator<StoredRecord[]> {
    for (let records = await next(); records.length > 0; records = await next()) {
      const own = records.filter((record) => record.partition === partition);
      const later = records.filter((record) => record.partition > partition);
      held = later;
      if (own.length > 0) yield own;
      if (later.length > 0) return;
    }
  }

  async function finish(): Promise<void> {
    held = [];
    while ((await next()).length > 0) held = [];
  }

  const close = async () => {
    await batches.return(undefined);
  };
  const correctedTo = toOffset(() => correctionsIn(file.batches()));
  return { extent: file.extent, read, correctedTo, finish, close };
}
