import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';

/** The form `v1` of sealed texts: AES-256-GCM with a synthetic nonce. Only for subjects with a key of 32 bytes. */

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

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

const associatedData = (subject: string) => Buffer.from(`v1.${subject}`);

/** Nonce, ciphertext and tag in base64url. */
export function sealGcmText(text: string, subject: string, key: Uint8Array): string {
  const { nonce: nonceKey, encryption } = keysOf(key);
  const nonce = createHmac('sha256', nonceKey).update(text).digest().subarray(0, NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, encryption, nonce).setAAD(associatedData(subject));
  const bytes = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return bytes.toString('base64url');
}

/** Null if it was altered, or sealed with another key. */
export function openGcmText(bytes: Buffer, subject: string, key: Uint8Array): string | null {
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv(CIPHER, keysOf(key).encryption, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(associatedData(subject)).setAuthTag(bytes.subarray(-TAG_BYTES));
  const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
  try {
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
