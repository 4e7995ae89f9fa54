import { hkdfSync, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDurably } from '#libs/durable-file';
import type { Config } from './config.ts';
import { ConfigError } from './config-error.ts';

const KEY_FILE = 'secret-key';
const KEY_BYTES = 32;
const LINE = /^[0-9a-f]{64}$/;

/**
 * The secrets that every other key is derived from, the newest first: POSTURE_SECRET_KEY and POSTURE_PREVIOUS_SECRET_KEY,
 * or the file `secret-key` in the data folder, a line each, created at the first start and readable only by its owner
 * (R-KEY-1: tokens outlive a restart). The first signs and encrypts, all of them verify and decrypt, so
 * that a new one ends nothing. Processes that start at once end up with the same file.
 * @param mayMake false: a missing file is an error, for commands that only use the secrets of a site
 * @throws ConfigError if the file does not hold keys
 */
export async function loadSecretKeys(
  { secretKey, previousSecretKey, dataDir }: Pick<Config, 'secretKey' | 'previousSecretKey' | 'dataDir'>,
  { mayMake } = { mayMake: true },
): Promise<Buffer[]> {
  if (secretKey)
    return [secretKey, ...(previousSecretKey ? [previousSecretKey] : [])].map((key) => Buffer.from(key));
  const path = join(dataDir, KEY_FILE);
  const known = await readIfThere(path);
  if (known === null && !mayMake)
    throw new ConfigError(`${path} does not exist: set DATA_DIR or POSTURE_SECRET_KEY to those of the site`);
  const stored = known ?? (await makeKeyFile(path));
  if (!/^([0-9a-f]{64}\n?){1,2}$/.test(stored)) {
    throw new ConfigError(
      `${path} ${stored === '' ? 'is empty' : 'is damaged'}: it must contain one or two lines of 64 hexadecimal digits. ` +
        'Restore the file or delete it. Deleting it invalidates all tokens, and users must enter the secrets of integrations and webhooks again',
    );
  }
  return stored
    .trim()
    .split('\n')
    .map((line) => Buffer.from(line, 'hex'));
}

/**
 * What the secrets are in the file `secret-key`, if they have the form of its lines: a site whose key moves from the file to
 * a variable, for example by a restore, has encrypted with the bytes, not with their digits.
 */
export const secretsOfFile = (secrets: readonly Buffer[]): Buffer[] =>
  secrets.map(String).flatMap((text) => (LINE.test(text) ? [Buffer.from(text, 'hex')] : []));

/** A key for one use, such as `tokens`; it reveals nothing about the secret or other keys (HKDF, RFC 5869). */
export const deriveKey = (secret: Buffer, use: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `posture ${use}`, KEY_BYTES));

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Processes that start at once read the same key: the first file stays. */
async function makeKeyFile(path: string): Promise<string> {
  await writeDurably(path, `${randomBytes(KEY_BYTES).toString('hex')}\n`, { ifAbsent: true });
  return readFile(path, 'utf8');
}
