import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';

/** What can be erased separately, with its data key. */
export interface SubjectKey {
  /** UUID in 22 characters of base64url. */
  subject: string;
  /** 32 bytes. */
  key: Uint8Array;
}

/** Noncharacters that Unicode reserves for internal use: `storable` replaces them in received texts. */
const BEGIN = '\ufdd0';
const END = '\ufdd1';
const FORMAT = 'v1';
const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Every sealed text in a longer one: its subject, then its bytes. */
export const SEALED_TEXTS = /\ufdd0v1\.([\w-]{22})\.([\w-]+)\ufdd1/g;

/** Matches the beginning of every sealed text of a subject, as a regular expression of PostgreSQL. */
export const textsOfSubject = (subject: string): string => `${BEGIN}v[0-9]+\\.${subject}\\.`;

export const hasSealedText = (text: string): boolean => text.includes(BEGIN);

/** The text was altered, or was sealed with another key. */
export class SealedTextError extends Error {
  override name = 'SealedTextError';
}

const derive = (key: Uint8Array, use: string) =>
  Buffer.from(hkdfSync('sha256', key, '', `posture sealed text ${use}`, KEY_BYTES));

/** Both keys of a data key are derived once, for as long as it is in memory. */
const derived = new WeakMap<Uint8Array, { nonce: Buffer; encryption: Buffer }>();
function keysOf(key: Uint8Array) {
  const known = derived.get(key);
  if (known) return known;
  const made = { nonce: derive(key, 'nonce'), encryption: derive(key, 'encryption') };
  derived.set(key, made);
  return made;
}

const associatedData = (subject: string) => Buffer.from(`${FORMAT}.${subject}`);

/** AES-256-GCM with a synthetic nonce: the same text of a subject always gives the same sealed text (ADR-0078). */
export function sealText(text: string, { subject, key }: SubjectKey): string {
  const { nonce: nonceKey, encryption } = keysOf(key);
  const nonce = createHmac('sha256', nonceKey).update(text).digest().subarray(0, NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, encryption, nonce).setAAD(associatedData(subject));
  const bytes = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `${BEGIN}${FORMAT}.${subject}.${bytes.toString('base64url')}${END}`;
}

/**
 * @param sealed the bytes of a sealed text, in base64url
 * @throws SealedTextError
 */
export function openText(sealed: string, { subject, key }: SubjectKey): string {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length < NONCE_BYTES + TAG_BYTES) throw new SealedTextError('the sealed text is too short');
  const decipher = createDecipheriv(CIPHER, keysOf(key).encryption, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(associatedData(subject)).setAuthTag(bytes.subarray(-TAG_BYTES));
  const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
  try {
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    throw new SealedTextError(`a sealed text of subject ${subject} was altered`);
  }
}
