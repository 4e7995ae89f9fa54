import type { LogRecord, StoredRecord } from '#libs/event-log';

/** The position up to which the changes of a partition are published. */
export interface OutboxPosition {
  /** Of the last change; 0: none. */
  sequence: number;
  /** Only for findings: sequence of the last asset deletion whose tombstones are published. */
  deletion: number;
}

/** Records that are published together, all or none. */
export interface OutboxBatch {
  records: LogRecord[];
  /** Its end. */
  position: OutboxPosition;
  /** False if the outbox had no more: what is written since is announced by a wake-up. */
  hasMore: boolean;
}

/** The changes to publish to a topic, written in the transaction that computed them. */
export interface Outbox {
  readonly topic: string;
  /** Resolves when the records of `next` can be made; a rejection is a failed attempt to publish. */
  ready(): Promise<void>;
  /** Whether the partition has, or ever had, anything to publish. */
  isInUse(partition: number): Promise<boolean>;
  /**
   * Where to continue, from the last record of the output partition, or else from the note. Null while the
   * tables themselves are behind the published changes: a restored database computes those changes again.
   */
  resume(partition: number, last: StoredRecord | null): Promise<OutboxPosition | null>;
  /** The next changes, within bounds; null if there are none. */
  next(partition: number, position: OutboxPosition): Promise<OutboxBatch | null>;
  /** Stores the published position, in case the output partition is emptied. */
  note(partition: number, position: OutboxPosition): Promise<void>;
}

/** Limits of one transaction of a publisher; a single larger change has its own. */
export const PUBLISH_BOUNDS = { changesMax: 500, bytesMax: 2 * 1024 * 1024 };
