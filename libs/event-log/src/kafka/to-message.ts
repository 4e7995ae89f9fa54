import type { ICustomPartitioner, Message } from 'kafkajs';
import type { LogRecord } from '../event-log.ts';
import { SEND_BYTES_MAX } from './limits.ts';

/** Overhead of a record in a batch: lengths, deltas, attributes. An upper bound. */
const RECORD_OVERHEAD_BYTES = 48;
const HEADER_OVERHEAD_BYTES = 10;

/**
 * The record for kafkajs; its partition is decided here and never by kafkajs. An empty value is a tombstone: Kafka's
 * compaction removes a key only with a null.
 */
export const toMessage = ({ key, value, headers }: LogRecord, partition: number): Message => ({
  key,
  value: value.length > 0 ? value : null,
  partition,
  ...(headers && { headers }),
});

/** That of `toMessage`. */
export const givenPartition: ICustomPartitioner =
  () =>
  ({ message }) =>
    message.partition!;

/** At least the bytes that the record takes in an uncompressed batch. */
export function batchBytesOf({ key, value, headers }: LogRecord): number {
  let bytes = RECORD_OVERHEAD_BYTES + Buffer.byteLength(key) + value.length;
  for (const [name, text] of Object.entries(headers ?? {})) {
    bytes += HEADER_OVERHEAD_BYTES + Buffer.byteLength(name) + Buffer.byteLength(text);
  }
  return bytes;
}

/** As `batchBytesOf`. @throws RangeError if no batch can contain the record */
export function sizeOf(record: LogRecord, name = 'a record'): number {
  const bytes = batchBytesOf(record);
  if (bytes > SEND_BYTES_MAX) {
    throw new RangeError(`${name} of ${bytes} bytes is too large: the limit is ${SEND_BYTES_MAX}`);
  }
  return bytes;
}
