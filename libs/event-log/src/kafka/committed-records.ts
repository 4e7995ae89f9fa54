import type { StoredRecord } from '../event-log.ts';

/** A record of a fetch as kafkajs decodes it, with the batch that it was stored in. */
export interface FetchedMessage {
  offset: string;
  key: Buffer | null;
  value: Buffer | null;
  headers: Record<string, Buffer | Buffer[]>;
  /** Epoch ms. */
  timestamp: string;
  /** The end of a transaction, which is no record of ours. */
  isControlRecord: boolean;
  batchContext: {
    firstOffset: string;
    lastOffsetDelta: number;
    producerId: string;
    inTransaction: boolean;
  };
}

/** Up to the first that cannot be read. */
export type FetchedMessages = FetchedMessage[] & {
  /** Why the messages end here. */
  damage?: Error;
};

/** One partition's part in the answer to a fetch. */
export interface FetchedPartition {
  partition: number;
  /** The offset up to which a read-committed reader may read. */
  lastStableOffset: string;
  /** Aborted transactions among the messages; null for none. */
  abortedTransactions: { producerId: string; firstOffset: string }[] | null;
  messages: FetchedMessages;
}

/** An abort's control record has this type in its key, after a version; a commit's has 1. */
const ABORT_TYPE = 0;
const CONTROL_TYPE_AT = 2;

/**
 * The committed records from an offset on, and the next offset to read: also after markers, aborted and compacted
 * records, so that a reader skips them. `next` is `from` if nothing was fetched.
 * @throws LogDamagedError if the batch at the offset cannot be read
 */
export function committedRecords(
  { partition, abortedTransactions, messages }: FetchedPartition,
  from: number,
): { records: StoredRecord[]; next: number } {
  const isAborted = abortedFilter(abortedTransactions ?? []);
  const records: StoredRecord[] = [];
  for (const message of messages) {
    const isRecord = !isAborted(message) && !message.isControlRecord;
    // A fetch begins with the whole batch that contains the offset.
    if (isRecord && Number(message.offset) >= from) records.push(storedRecord(message, partition));
  }
  const next = Math.max(from, endOf(messages.at(-1)));
  if (next === from && messages.damage) throw messages.damage;
  return { records, next };
}

function endOf(last: FetchedMessage | undefined): number {
  if (!last) return 0;
  // Compaction may have removed the records at the batch's end; their offsets are still its own.
  return Number(last.batchContext.firstOffset) + last.batchContext.lastOffsetDelta + 1;
}

/** To be asked of each message in order. */
function abortedFilter(
  transactions: { producerId: string; firstOffset: string }[],
): (message: FetchedMessage) => boolean {
  const ahead = transactions
    .map(({ producerId, firstOffset }) => ({ producerId, firstOffset: Number(firstOffset) }))
    .sort((a, b) => a.firstOffset - b.firstOffset);
  const open = new Set<string>();
  return ({ offset, key, isControlRecord, batchContext: { producerId, inTransaction } }) => {
    while (ahead.length > 0 && ahead[0]!.firstOffset <= Number(offset)) open.add(ahead.shift()!.producerId);
    if (isControlRecord && key?.readInt16BE(CONTROL_TYPE_AT) === ABORT_TYPE) open.delete(producerId);
    return inTransaction && !isControlRecord && open.has(producerId);
  };
}

function storedRecord(message: FetchedMessage, partition: number): StoredRecord {
  const headers: Record<string, string> = {};
  for (const name of Object.keys(message.headers)) headers[name] = textOf(message.headers[name]);
  return {
    partition,
    offset: Number(message.offset),
    key: message.key?.toString() ?? '',
    value: message.value ?? Buffer.alloc(0),
    headers,
    storedAt: Number(message.timestamp),
  };
}

/** Kafka allows a name twice, of which the last one counts, and values that are null. */
const textOf = (value: Buffer | (Buffer | null)[] | null | undefined): string =>
  (Array.isArray(value) ? value.at(-1) : value)?.toString() ?? '';
