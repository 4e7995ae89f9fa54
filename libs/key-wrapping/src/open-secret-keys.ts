import { type Config, ConfigError, loadSecretKeys } from '#libs/config';
import { isWrapped, wrapperOf } from './wrapper-of.ts';

/**
 * The secrets of the site, as `loadSecretKeys`. Those that a KMS has wrapped are unwrapped, with one request each; they are
 * in memory only.
 * @throws ConfigError; KeyWrapperError if the KMS does not unwrap them
 */
export async function openSecretKeys(
  config: Config,
  options?: Parameters<typeof loadSecretKeys>[1],
): Promise<Buffer[]> {
  const stored = await loadSecretKeys(config, options);
  if (!stored.some((secret) => isWrapped(secret.toString('latin1')))) return stored;
  const wrapper = wrapperOf(config);
  try {
    return await Promise.all(
      stored.map(async (secret) => {
        const text = secret.toString('latin1');
        return isWrapped(text) ? strong(await wrapper.unwrap(text)) : secret;
      }),
    );
  } finally {
    await wrapper.close();
  }
}

/** @throws ConfigError */
function strong(secret: Buffer): Buffer {
  if (/^\S{32,512}$/.test(secret.toString('latin1'))) return secret;
  throw new ConfigError(
    'the wrapped secret key must contain 32 to 512 characters without white space: create one with posture keys wrap',
  );
}
