import { createHash } from 'node:crypto';
import { HEADER_BYTES } from '#libs/contracts';
import type { LogRecord } from '#libs/event-log';

const HASH_BYTES = 32;
const KEY_LENGTH_BYTES = 4;

/** The head of a partition's chain before its first record. */
export const CHAIN_START: Buffer = Buffer.alloc(HASH_BYTES);

/**
 * The head of a partition's chain after its next record: SHA-256, 32 bytes, over the head before it, the length of the
 * key (4 bytes, big-endian), the key in UTF-8, and the Avro body, which is the value without the 5 bytes of its
 * header. A value that is not in wire format counts whole. Offsets, headers and times of storage are not in it, so
 * that a log has one chain wherever it is stored (R-LOG-9).
 */
export function chainAfter(head: Buffer, { key, value }: Pick<LogRecord, 'key' | 'value'>): Buffer {
  const keyBytes = Buffer.from(key);
  const keyLength = Buffer.alloc(KEY_LENGTH_BYTES);
  keyLength.writeUInt32BE(keyBytes.length);
  return createHash('sha256').update(head).update(keyLength).update(keyBytes).update(bodyOf(value)).digest();
}

/** A log may be written again under other schema ids and stays the same log. */
const bodyOf = (value: Buffer): Buffer =>
  value.length >= HEADER_BYTES && value[0] === 0 ? value.subarray(HEADER_BYTES) : value;
