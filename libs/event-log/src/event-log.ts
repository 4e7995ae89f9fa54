/**
 * The event log as a port (R-LOG-2). Two adapters pass one contract suite: `postgres/` (embedded
 * default) and Kafka. A log is a set of topics; a topic has numbered partitions; a partition is a gap-free sequence
 * of records with offsets from 0. Offsets are integers below 2^53.
 */

export interface LogRecord {
  /** Entity key. Records of one key go to one partition: `partitionOf(key, partitions)`. */
  key: string;
  /** Empty: a tombstone, by which a compacted topic forgets the key. */
  value: Buffer;
  headers?: Record<string, string>;
}

export interface StoredRecord extends LogRecord {
  partition: number;
  offset: number;
  headers: Record<string, string>;
  /** When the log stored it, epoch ms; for people and lag, never for the fold. */
  storedAt: number;
}

export interface Position {
  partition: number;
  offset: number;
}

/** The log cannot take or give records now: nothing of the call is acknowledged; try again later. */
export class LogUnavailableError extends Error {
  override name = 'LogUnavailableError';
}

/** Too many records are waiting. Accepted records are still stored. */
export class LogBusyError extends LogUnavailableError {}

/** Another publisher of the same name took over, or a transaction was aborted: this one must stop (fencing). */
export class FencedError extends Error {
  override name = 'FencedError';
}

/** The requested offset was removed from the log permanently. */
export class RecordsGoneError extends Error {
  override name = 'RecordsGoneError';
}

/** The log ends before the requested offset: records that were read are lost, or a reader waits for the next ones. */
export class AboveEndError extends Error {
  override name = 'AboveEndError';
}

/** Records of the log cannot be read, or differ from what was stored. */
export class LogDamagedError extends Error {
  override name = 'LogDamagedError';
}

/** The callbacks of a topic's consumer. At most one consumer of a group owns a partition at a time. */
export interface BatchHandler {
  /**
   * A partition was assigned. Returns the offset to start from: the handler stores positions, not the log. If records
   * are removed before they are read, the partition is revoked and assigned again: it stops if the offset is the same.
   * Kafka does so, too, the first time that the log ends before an offset: if it is the same, the partition waits for it.
   */
  assigned(partition: number): Promise<number>;
  /** The partition was revoked. None of its records are delivered after this call. */
  revoked(partition: number): Promise<void>;
  /**
   * Records of one partition in offset order, never empty; the next batch of the partition comes when this resolves.
   * Returns the next offset to read: mostly the last offset + 1; another offset is a seek, in either direction.
   * A throw stops this consumer's reading of the partition: see `ConsumeOptions.onPartitionFailed`.
   */
  batch(records: StoredRecord[]): Promise<number>;
}

export interface ConsumeOptions {
  /** Bounds of one batch; a single larger record is a separate batch. Defaults: 1,000 records, 4 MiB. */
  batchRecordsMax?: number;
  batchBytesMax?: number;
  /** Called when `batch` or `assigned` threw: the partition stays stopped until it is assigned again (a bug is not skipped). */
  onPartitionFailed?: (partition: number, error: Error) => void;
}

export interface Consumer {
  /** Currently owned partitions. */
  readonly assignment: readonly number[];
  /** Stops reading, waits for the current batches, revokes every partition. */
  stop(): Promise<void>;
}

/** Writes one partition of a topic under a name; a later owner of the name fences the earlier ones. */
export interface Publisher {
  /** All or nothing, durable when it resolves, readable a moment later. @throws FencedError */
  publish(records: LogRecord[]): Promise<Position[]>;
  close(): Promise<void>;
}

export interface EventLog {
  /** Partition count of every topic, chosen once for the life of the log (LOG_PARTITIONS). */
  readonly partitions: number;

  /**
   * Appends records; durable when it resolves, positions in the order given. Order is kept per key, for this call
   * and among calls of which the later one started after the earlier one resolved.
   * `partition` overrides the key's own (only for LogOpened and tests).
   * @throws LogUnavailableError if any record is not known to be stored; some of them may be (R-FOLD-5 drops repeats)
   */
  append(topic: string, records: (LogRecord & { partition?: number })[]): Promise<Position[]>;

  /**
   * Resolves unless appends of this process fail now. In PostgreSQL it writes a little to find out whether there is
   * room again; in Kafka a failure counts for five seconds.
   * @throws LogUnavailableError with the reason
   */
  assertAppendable(): Promise<void>;

  /** Follows a topic. Resolves when the consumer has joined; assignments come when they come. */
  consume(topic: string, group: string, handler: BatchHandler, options?: ConsumeOptions): Promise<Consumer>;

  publisher(topic: string, partition: number, name: string): Promise<Publisher>;

  /**
   * Records of [from, to) in order, in bounded batches. `to` above the end reads up to the end at the call.
   * @throws RecordsGoneError if the beginning of the range was removed
   */
  read(topic: string, partition: number, from: number, to: number): AsyncIterable<StoredRecord[]>;

  /** First remaining offset of each partition, by partition number; if it is empty, its end. */
  starts(topic: string): Promise<number[]>;

  /**
   * Removes the records of a partition below an offset, permanently; the offsets of the others, and the end, stay.
   * Records that are already removed are not an error: an interrupted call can be repeated.
   * @param before of [0, end of the partition]
   * @throws RangeError if it is above the end; nothing is removed then
   * @throws LogUnavailableError if some of them may still be there
   */
  trim(topic: string, partition: number, before: number): Promise<void>;

  /** Next offset of each partition, by partition number. */
  ends(topic: string): Promise<number[]>;

  close(): Promise<void>;
}
