import type { Config } from '#libs/config';
import { AWS_KMS_PREFIX, openAwsKms } from './aws-kms.ts';
import { type KeyWrapper, KeyWrapperError } from './key-wrapper.ts';
import { openVaultTransit, VAULT_PREFIX } from './vault-transit.ts';

/** The kinds of KMS. */
export const KMS = ['vault', 'aws-kms'] as const;
export type Kms = (typeof KMS)[number];

const PREFIXES: Record<Kms, string> = { vault: VAULT_PREFIX, 'aws-kms': AWS_KMS_PREFIX };

/** Which KMS has wrapped a secret; undefined: the value is the secret itself. */
export const kmsOf = (secret: string): Kms | undefined => KMS.find((kms) => secret.startsWith(PREFIXES[kms]));

/** The kinds of KMS that are configured. */
export const configuredKms = ({ vaultTransitKey, awsKmsKey }: Config): Kms[] => [
  ...(vaultTransitKey === undefined ? [] : (['vault'] as const)),
  ...(awsKmsKey === undefined ? [] : (['aws-kms'] as const)),
];

/**
 * A KMS of the configuration.
 * @throws KeyWrapperError if it is not configured
 */
export function wrapperOf(config: Config, kms: Kms): KeyWrapper {
  return kms === 'vault' ? vaultOf(config) : awsKmsOf(config);
}

function vaultOf({ vaultTransitKey, vaultAddress, vaultToken, ...config }: Config): KeyWrapper {
  if (vaultTransitKey === undefined) {
    throw new KeyWrapperError(
      'the secret key is wrapped by the transit engine of Vault: set VAULT_ADDR, VAULT_TOKEN and VAULT_TRANSIT_KEY',
    );
  }
  return openVaultTransit({
    address: vaultAddress!,
    token: vaultToken!,
    namespace: config.vaultNamespace,
    mount: config.vaultTransitMount,
    key: vaultTransitKey,
  });
}

function awsKmsOf({ awsKmsKey, awsRegion, awsKmsEndpoint }: Config): KeyWrapper {
  if (awsKmsKey === undefined) {
    throw new KeyWrapperError('the secret key is wrapped by AWS KMS: set AWS_KMS_KEY and AWS_REGION');
  }
  return openAwsKms({ key: awsKmsKey, region: awsRegion, endpoint: awsKmsEndpoint });
}
