import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { deriveKey } from '#libs/config';

const FORMAT = 'v1';
const CIPHER = 'aes-256-gcm';
const KEY_ID_BYTES = 6;
/** Random ones are safe for 2^32 secrets of one key (NIST SP 800-38D, 8.3). */
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** The place of a secret; it opens only there. */
export interface SecretPlace {
  /** The integration's id. */
  integration: string;
  /** The key of its configuration, such as `clientSecret`. */
  field: string;
}

/**
 * Why a secret does not open. `form`: the text has another format; `key`: it was sealed with a secret key that is not
 * configured; `altered`: it was changed, or sealed for another place.
 */
export type VaultFailure = 'form' | 'key' | 'altered';

/** A secret does not open; the message names its place and nothing of it. */
export class VaultError extends Error {
  override name = 'VaultError';

  constructor(
    readonly failure: VaultFailure,
    { integration, field }: SecretPlace,
  ) {
    super(`${field} of the integration ${integration} cannot be decrypted: ${REASONS[failure]}`);
  }
}

const REASONS: Record<VaultFailure, string> = {
  form: 'the stored value is not an encrypted secret; enter the secret again',
  key: 'it was encrypted with a different secret key; set POSTURE_PREVIOUS_SECRET_KEY to that key, or enter the secret again',
  altered: 'the stored value was changed or belongs to another field; enter the secret again',
};

/**
 * Secrets at rest (R-KEY-2): AES-256-GCM under keys derived from the site's secret keys (`loadSecretKeys`). A sealed
 * secret is a text, `v1.<key id>.<iv, ciphertext and tag>` in base64url, longer than the secret by a third and 60
 * characters. Its format, key id and place are authenticated with it.
 */
export class Vault {
  /** By their ids; the current one seals, all open. */
  private readonly keys: Map<string, KeyObject>;
  readonly currentId: string;

  /** @param secretKeys the newest first, one at least */
  constructor(secretKeys: readonly Buffer[]) {
    this.keys = new Map(secretKeys.map((secret) => [wrappingKeyId(secret), keyOf(secret)]));
    this.currentId = wrappingKeyId(secretKeys[0]!);
  }

  /** Ids of the keys that open, the current one first. */
  get keyIds(): string[] {
    return [...this.keys.keys()];
  }

  /** Each time another text, also of the same secret. */
  seal(secret: string, place: SecretPlace): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, this.keys.get(this.currentId)!, iv);
    cipher.setAAD(associatedData(this.currentId, place));
    const sealed = [iv, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()];
    return `${FORMAT}.${this.currentId}.${Buffer.concat(sealed).toString('base64url')}`;
  }

  /** @throws VaultError */
  open(sealed: string, place: SecretPlace): string {
    const { keyId, bytes } = readSealed(sealed) ?? fail('form', place);
    const key = this.keys.get(keyId) ?? fail('key', place);
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(associatedData(keyId, place));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    const text = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES));
    try {
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    } catch {
      return fail('altered', place);
    }
  }

  /**
   * The secret sealed with the current key, to be stored instead; null if it already is.
   * @throws VaultError
   */
  reseal(sealed: string, place: SecretPlace): string | null {
    const secret = this.open(sealed, place);
    return readSealed(sealed)!.keyId === this.currentId ? null : this.seal(secret, place);
  }
}

const keyOf = (secret: Buffer): KeyObject => createSecretKey(deriveKey(secret, 'vault'));

/** The id of the key that follows from a secret; it reveals nothing about either. */
export const wrappingKeyId = (secret: Buffer): string =>
  deriveKey(secret, 'vault key id').toString('base64url', 0, KEY_ID_BYTES);

/** As JSON, so that different places have different bytes. */
const associatedData = (keyId: string, { integration, field }: SecretPlace): Buffer =>
  Buffer.from(JSON.stringify([FORMAT, keyId, integration, field]));

/** Null if the text is none that `seal` can have made, down to the last character. */
function readSealed(sealed: string): { keyId: string; bytes: Buffer } | null {
  const [, keyId, text] = /^v1\.([\w-]{8})\.([\w-]+)$/.exec(sealed) ?? [];
  if (keyId === undefined || text === undefined) return null;
  const bytes = Buffer.from(text, 'base64url');
  // Decoding skips spare bits at the end.
  const isWhole = bytes.length >= IV_BYTES + TAG_BYTES && bytes.toString('base64url') === text;
  return isWhole ? { keyId, bytes } : null;
}

function fail(failure: VaultFailure, place: SecretPlace): never {
  throw new VaultError(failure, place);
}
