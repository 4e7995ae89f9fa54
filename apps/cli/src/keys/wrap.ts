import { randomBytes } from 'node:crypto';
import { type Config, ConfigError } from '#libs/config';
import { configuredKms, type Kms, openSecretKeys, wrapperOf } from '#libs/key-wrapping';
import { usageError } from '../cli-error.ts';
import { configOf } from '../site.ts';
import { siteFailure } from '../site-failure.ts';
import type { Terminal } from '../terminal.ts';

const SECRET_BYTES = 32;

export interface WrapOptions {
  /** Wraps the present secret of the site instead of a new one. */
  present?: boolean;
  /** Which KMS wraps it, if several are configured. */
  with?: Kms;
}

/** Prints only the wrapped secret. @throws CliError exit 2 if a setting is wrong, 1 if the KMS does not wrap */
export async function wrap(
  { present = false, with: kms }: WrapOptions,
  { env, stdout }: Terminal,
): Promise<void> {
  const config = configOf(env);
  try {
    const secret = present
      ? presentOf(await openSecretKeys(config, { mayMake: false }), config.secretKey)
      : Buffer.from(randomBytes(SECRET_BYTES).toString('hex'));
    const wrapper = wrapperOf(config, kms ?? onlyKmsOf(config));
    try {
      stdout.write(`${await wrapper.wrap(secret)}\n`);
    } finally {
      await wrapper.close();
    }
  } catch (error) {
    if (error instanceof ConfigError) throw usageError(error.message);
    throw siteFailure(error as Error);
  }
}

/** @throws CliError */
function onlyKmsOf(config: Config): Kms {
  const [kms, other] = configuredKms(config);
  if (kms !== undefined && other === undefined) return kms;
  throw usageError(
    kms === undefined
      ? 'no KMS is configured: set VAULT_TRANSIT_KEY, VAULT_ADDR and VAULT_TOKEN, or AWS_KMS_KEY and AWS_REGION'
      : `several KMS are configured: add --with ${kms} or --with ${other}`,
  );
}

/** The file of the data folder contains bytes in hexadecimal digits, which a variable cannot. @throws CliError */
function presentOf([secret]: Buffer[], variable: string | undefined): Buffer {
  if (variable !== undefined) return secret!;
  throw usageError(
    '--present requires POSTURE_SECRET_KEY: for a site with DATA_DIR/secret-key, rotate to a new secret',
  );
}
