import { type Config, ConfigError, loadSecretKeys, secretsOfFile } from '#libs/config';
import type { KeyWrapper } from './key-wrapper.ts';
import { type Kms, kmsOf, wrapperOf } from './wrapper-of.ts';

/**
 * The secrets of the site, as `loadSecretKeys`. Those that a KMS has wrapped are unwrapped, with one request each; they are
 * in memory only. What they are in the file `secret-key` follows, and only verifies and decrypts.
 * @throws ConfigError; KeyWrapperError if the KMS does not unwrap them
 */
export async function openSecretKeys(
  config: Config,
  options?: Parameters<typeof loadSecretKeys>[1],
): Promise<Buffer[]> {
  const stored = await loadSecretKeys(config, options);
  const wrappers = new Map<Kms, KeyWrapper>();
  try {
    const secrets = await Promise.all(
      stored.map(async (secret) => {
        const text = secret.toString('latin1');
        const kms = kmsOf(text);
        if (!kms) return secret;
        const wrapper = wrappers.get(kms) ?? wrapperOf(config, kms);
        wrappers.set(kms, wrapper);
        return strong(await wrapper.unwrap(text));
      }),
    );
    return [...secrets, ...secretsOfFile(secrets)];
  } finally {
    for (const wrapper of wrappers.values()) await wrapper.close();
  }
}

/** @throws ConfigError */
function strong(secret: Buffer): Buffer {
  if (/^\S{32,512}$/.test(secret.toString())) return secret;
  throw new ConfigError(
    'the wrapped secret key must contain 32 to 512 characters without white space: create one with posture keys wrap',
  );
}
