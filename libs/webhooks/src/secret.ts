import { randomBytes } from 'node:crypto';

/** As Standard Webhooks writes them down. */
const PREFIX = 'whsec_';
const NEW_BYTES = 32;
/** What Standard Webhooks allows. */
const BYTES = { min: 24, max: 64 };

/** A new random secret. */
export const newSecret = (): string => `${PREFIX}${randomBytes(NEW_BYTES).toString('base64')}`;

/** The key that a secret stands for; null if the text is none: `whsec_` and 24 to 64 bytes in base64. */
export function keyOf(secret: string): Buffer | null {
  if (!secret.startsWith(PREFIX)) return null;
  const text = secret.slice(PREFIX.length);
  const key = Buffer.from(text, 'base64');
  // Decoding skips characters that are not base64.
  if (key.toString('base64') !== text) return null;
  return key.length >= BYTES.min && key.length <= BYTES.max ? key : null;
}
