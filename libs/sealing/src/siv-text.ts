import { type Cipher, createCipheriv, createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * The form `2` of sealed texts: a synthetic initialization vector (SIV), then the text in AES-256-CTR. The SIV is an
 * HMAC-SHA-256 of subject and text, so it also authenticates them (ADR-0113). The first half of the data key is for the
 * HMAC, the second for AES.
 */
const KEY_BYTES = 64;
const HALF_BYTES = KEY_BYTES / 2;
const SUBJECT_BYTES = 22;
const SIV_BYTES = 12;
const BLOCK_BYTES = 16;

/** The data key of a new subject. */
export const newDataKey = (): Buffer => randomBytes(KEY_BYTES);

export const isSivKey = (key: Uint8Array): boolean => key.length === KEY_BYTES;

/** SIV and ciphertext in base64url. */
export const sealSivText = (text: string, subject: string, key: Uint8Array): string =>
  text.length <= SHORT_UNITS_MAX ? sealedShort(text, subject, key) : sealedLong(text, subject, key);

/** Null if it was altered, or sealed with another key. */
export function openSivText(bytes: Buffer, subject: string, key: Uint8Array): string | null {
  if (bytes.length < SIV_BYTES) return null;
  const siv = bytes.subarray(0, SIV_BYTES);
  const text = counterMode(siv, key).update(bytes.subarray(SIV_BYTES)).toString('utf8');
  return timingSafeEqual(sivOf(text, subject, key), siv) ? text : null;
}

const sivOf = (text: string, subject: string, key: Uint8Array): Buffer =>
  createHmac('sha256', key.subarray(0, HALF_BYTES))
    .update(subject + text)
    .digest()
    .subarray(0, SIV_BYTES);

/** The same for both directions. */
const counterMode = (siv: Buffer, key: Uint8Array): Cipher =>
  createCipheriv('aes-256-ctr', key.subarray(HALF_BYTES), Buffer.concat([siv], BLOCK_BYTES));

function sealedLong(text: string, subject: string, key: Uint8Array): string {
  const siv = sivOf(text, subject, key);
  return Buffer.concat([siv, counterMode(siv, key).update(text, 'utf8')]).toString('base64url');
}

/**
 * Short texts give the same bytes as long ones, at a third of the time: to make an HMAC and a cipher costs more than to
 * use them.
 */
const SHORT_BYTES_MAX = 4_096;
/** A unit of a string has at most 3 bytes in UTF-8. */
const SHORT_UNITS_MAX = SHORT_BYTES_MAX / 3;
/** Of SHA-256. */
const HASH_BLOCK_BYTES = 64;
const HASH_BYTES = 32;
const TEXT_AT = HASH_BLOCK_BYTES + SUBJECT_BYTES;
const SIV_AT = TEXT_AT - SIV_BYTES;

/** Padded key, subject and text; then SIV and ciphertext. */
const inner = Buffer.allocUnsafeSlow(TEXT_AT + SHORT_BYTES_MAX);
/** Padded key, and the hash of `inner`. */
const outer = Buffer.allocUnsafeSlow(HASH_BLOCK_BYTES + HASH_BYTES);
/** What counter mode encrypts: the SIV and the number of the block. */
const counters = Buffer.allocUnsafeSlow(SHORT_BYTES_MAX);
for (let at = 0; at < SHORT_BYTES_MAX; at += BLOCK_BYTES)
  counters.writeUInt32BE(at / BLOCK_BYTES, at + SIV_BYTES);

function sealedShort(text: string, subject: string, key: Uint8Array): string {
  const { innerPad, outerPad, blocks } = preparedFor(key);
  inner.set(innerPad);
  inner.write(subject, HASH_BLOCK_BYTES, 'latin1');
  const length = inner.write(text, TEXT_AT, 'utf8');
  // HMAC as in RFC 2104.
  outer.set(outerPad);
  outer.write(hash('sha256', inner.subarray(0, TEXT_AT + length), 'binary'), HASH_BLOCK_BYTES, 'latin1');
  inner.write(hash('sha256', outer, 'binary'), SIV_AT, SIV_BYTES, 'latin1');

  const end = Math.ceil(length / BLOCK_BYTES) * BLOCK_BYTES;
  for (let at = 0; at < end; at += BLOCK_BYTES) inner.copy(counters, at, SIV_AT, TEXT_AT);
  const stream = blocks.update(counters.subarray(0, end));
  for (let i = 0; i < length; i++) inner[TEXT_AT + i]! ^= stream[i]!;
  return inner.toString('base64url', SIV_AT, TEXT_AT + length);
}

interface Prepared {
  innerPad: Buffer;
  outerPad: Buffer;
  blocks: Cipher;
}

/** For as long as the key is in memory. */
const prepared = new WeakMap<Uint8Array, Prepared>();
function preparedFor(key: Uint8Array): Prepared {
  const known = prepared.get(key);
  if (known) return known;
  const padded = (byte: number) => {
    const pad = Buffer.alloc(HASH_BLOCK_BYTES, byte);
    for (let i = 0; i < HALF_BYTES; i++) pad[i]! ^= key[i]!;
    return pad;
  };
  const made = {
    innerPad: padded(0x36),
    outerPad: padded(0x5c),
    blocks: createCipheriv('aes-256-ecb', key.subarray(HALF_BYTES), null).setAutoPadding(false),
  };
  prepared.set(key, made);
  return made;
}
