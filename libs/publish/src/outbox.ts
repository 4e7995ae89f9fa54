import type { LogRecord, StoredRecord } from '#libs/event-log';

/** How far the changes of a partition are out. */
export interface OutboxPosition {
  /** Of the last change; 0: none. */
  sequence: number;
  /** Findings alone: sequence of the last deletion of an asset of which their tombstones are out. */
  deletion: number;
}

/** Records that go out together, all or none. */
export interface OutboxBatch {
  records: LogRecord[];
  /** Where it ends. */
  position: OutboxPosition;
}

/** What goes out to a topic, as whoever computed it has written it down in the same transaction. */
export interface Outbox {
  readonly topic: string;
  /** Resolves when the records of `next` can be made; a rejection is a failed attempt to publish. */
  ready(): Promise<void>;
  /** Whether the partition has, or ever had, anything to publish. */
  isInUse(partition: number): Promise<boolean>;
  /**
   * Where to go on, told by the last record of the output partition, or else by what was noted. Null while the
   * tables themselves are behind what is out: a database that was restored comes to those changes again.
   */
  resume(partition: number, last: StoredRecord | null): Promise<OutboxPosition | null>;
  /** What follows, within bounds; null where nothing does. */
  next(partition: number, position: OutboxPosition): Promise<OutboxBatch | null>;
  /** Notes how far the changes are out, for an output partition that has come to hold nothing. */
  note(partition: number, position: OutboxPosition): Promise<void>;
}

/** What one transaction of a publisher carries at most; a single larger change goes alone. */
export const PUBLISH_BOUNDS = { changesMax: 500, bytesMax: 2 * 1024 * 1024 };
