import type { Config } from '#libs/config';
import { type KeyWrapper, KeyWrapperError } from './key-wrapper.ts';
import { openVaultTransit, VAULT_PREFIX } from './vault-transit.ts';

/** Whether a value is a secret that a KMS has wrapped; any other value is the secret itself. */
export const isWrapped = (secret: string): boolean => secret.startsWith(VAULT_PREFIX);

/**
 * The KMS of the configuration.
 * @throws KeyWrapperError if none is configured
 */
export function wrapperOf({ vaultTransitKey, vaultAddress, vaultToken, ...config }: Config): KeyWrapper {
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
