import type { FetchedMessage } from './committed-records.ts';

/** What is used of kafkajs' `Decoder`. */
interface RecordBytes {
  readInt8(): number;
  readVarInt(): number;
  readVarLong(): { toNumber(): number };
  readVarIntBytes(): Buffer | null;
  readVarIntString(): string | null;
}

/** Of the batch of a record, as kafkajs decodes it. */
type BatchContext = FetchedMessage['batchContext'] & {
  firstTimestamp: string;
  maxTimestamp: string;
  timestampType: number;
  isControlBatch: boolean;
  magicByte: number;
};

/** The broker has set the time, to one for the whole batch. */
const LOG_APPEND_TIME = 1;

/**
 * A record as kafkajs decodes it: its decoder copies all headers for each of them, which takes minutes for a record with
 * 100,000, takes a name such as `constructor` for one that was there before, and parses the numbers of the batch for each record.
 */
export function decodeRecord(bytes: RecordBytes, batch: BatchContext) {
  const attributes = bytes.readInt8();
  const timestampDelta = bytes.readVarLong().toNumber();
  const offsetDelta = bytes.readVarInt();
  return {
    magicByte: batch.magicByte,
    attributes,
    timestamp:
      batch.timestampType === LOG_APPEND_TIME
        ? batch.maxTimestamp
        : String(Number(batch.firstTimestamp) + timestampDelta),
    offset: String(Number(batch.firstOffset) + offsetDelta),
    key: bytes.readVarIntBytes(),
    value: bytes.readVarIntBytes(),
    headers: headersIn(bytes),
    isControlRecord: batch.isControlBatch,
    batchContext: batch,
  };
}

type HeaderValue = Buffer | null;

/** A name that repeats has all of its values. */
function headersIn(bytes: RecordBytes): Record<string, HeaderValue | HeaderValue[]> {
  const count = bytes.readVarInt();
  if (count <= 0) return {};
  const values = new Map<string, HeaderValue | HeaderValue[]>();
  for (let i = 0; i < count; i++) {
    const name = String(bytes.readVarIntString());
    const value = bytes.readVarIntBytes();
    const before = values.get(name);
    if (before === undefined) values.set(name, value);
    else if (Array.isArray(before)) before.push(value);
    else values.set(name, [before, value]);
  }
  return Object.fromEntries(values);
}
