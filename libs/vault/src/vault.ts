import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { deriveKey } from '#libs/config';

const FORMAT = 'v1';
const CIPHER = 'aes-256-gcm';
const KEY_ID_BYTES = 6;
/** Random ones are safe for 2^32 secrets of one key (NIST SP 800-38D, 8.3). */
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Where a secret belongs; it opens nowhere else. */
export interface SecretPlace {
  /** The integration's id. */
  integration: string;
  /** The key of its configuration, such as `clientSecret`. */
  field: string;
}

/**
 * Why a secret does not open. `form`: the text is none of the vault's; `key`: it was sealed with a secret key that is
 * not given; `altered`: it is not what was sealed, or not for this place.
 */
export type VaultFailure = 'form' | 'key' | 'altered';

/** A secret does not open; the message names its place and nothing of it. */
export class VaultError extends Error {
  override name = 'VaultError';

  constructor(
    readonly failure: VaultFailure,
    { integration, field }: SecretPlace,
  ) {
    super(`${field} of the integration ${integration} does not open: ${REASONS[failure]}`);
  }
}

const REASONS: Record<VaultFailure, string> = {
  form: 'what is stored is no sealed secret; enter it again',
  key: 'it was sealed with another secret key; give that one as POSTURE_PREVIOUS_SECRET_KEY, or enter it again',
  altered: 'what is stored was altered, or belongs to another place; enter it again',
};

/**
 * Secrets at rest (D27): AES-256-GCM under keys derived from the site's secret keys (`loadSecretKeys`). What is sealed is
 * a text, `v1.<key id>.<iv, ciphertext and tag>` in base64url, longer than the secret by a third and 60 characters. Its
 * format, key id and place are authenticated with it.
 */
export class Vault {
  /** By their ids; the first seals, all open. */
  private readonly keys: Map<string, KeyObject>;
  private readonly currentId: string;

  /** @param secretKeys the newest first, one at least */
  constructor(secretKeys: readonly Buffer[]) {
    this.keys = new Map(secretKeys.map((secret) => [keyIdOf(secret), keyOf(secret)]));
    this.currentId = keyIdOf(secretKeys[0]!);
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
   * What is to be stored instead, sealed with the current key; null where it is already.
   * @throws VaultError
   */
  reseal(sealed: string, place: SecretPlace): string | null {
    const secret = this.open(sealed, place);
    return readSealed(sealed)!.keyId === this.currentId ? null : this.seal(secret, place);
  }
}

const keyOf = (secret: Buffer): KeyObject => createSecretKey(deriveKey(secret, 'vault'));

const keyIdOf = (secret: Buffer): string =>
  deriveKey(secret, 'vault key id').toString('base64url', 0, KEY_ID_BYTES);

/** As JSON, so that no two places come to the same bytes. */
const associatedData = (keyId: string, { integration, field }: SecretPlace): Buffer =>
  Buffer.from(JSON.stringify([FORMAT, keyId, integration, field]));

/** Null where the text is none that `seal` can have made, down to the last character. */
function readSealed(sealed: string): { keyId: string; bytes: Buffer } | null {
  const [, keyId, text] = /^v1\.([\w-]{8})\.([\w-]+)$/.exec(sealed) ?? [];
  if (keyId === undefined || text === undefined) return null;
  const bytes = Buffer.from(text, 'base64url');
  // Decoding passes over spare bits at the end.
  const isWhole = bytes.length >= IV_BYTES + TAG_BYTES && bytes.toString('base64url') === text;
  return isWhole ? { keyId, bytes } : null;
}

function fail(failure: VaultFailure, place: SecretPlace): never {
  throw new VaultError(failure, place);
}
