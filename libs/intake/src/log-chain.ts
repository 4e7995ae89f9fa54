import { createHash } from 'node:crypto';
import { HEADER_BYTES } from '#libs/contracts';
import type { LogRecord } from '#libs/event-log';

const HASH_BYTES = 32;
const KEY_LENGTH_BYTES = 4;

/** The head of a partition's chain after its next record, 32 bytes, from the head before it. */
export type Chain = (head: Buffer, record: Pick<LogRecord, 'key' | 'value'>) => Buffer;

/** The head of a partition's chain before its first record. */
export const CHAIN_START: Buffer = Buffer.alloc(HASH_BYTES);

/**
 * SHA-256 over the head before it, the length of the key (4 bytes, big-endian), the key in UTF-8, and the value, whose
 * first 5 bytes state what the event is. Offsets, headers and times of storage are not in it, so that a log has one chain
 * wherever it is stored (R-LOG-9).
 */
export const chainAfter: Chain = (head, { key, value }) => linkAfter(head, key, value);

/**
 * The chain of release 0.1.0, in its files and reports: a value in wire format counts without its 5 bytes, so a comment
 * and an acceptance can have the same link. Only for what was written with it.
 */
export const formerChainAfter: Chain = (head, { key, value }) =>
  linkAfter(head, key, value.length >= HEADER_BYTES && value[0] === 0 ? value.subarray(HEADER_BYTES) : value);

function linkAfter(head: Buffer, key: string, bytes: Buffer): Buffer {
  const keyBytes = Buffer.from(key);
  const keyLength = Buffer.alloc(KEY_LENGTH_BYTES);
  keyLength.writeUInt32BE(keyBytes.length);
  return createHash('sha256').update(head).update(keyLength).update(keyBytes).update(bytes).digest();
}
