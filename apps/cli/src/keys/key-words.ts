import type { KeyStatus } from '#libs/key-rotation';
import type { Vault } from '#libs/vault';

/** What a wrapping key is to this site: `present` encrypts, `previous` only decrypts, `unknown` has no secret here. */
export type KeyRole = 'present' | 'previous' | 'unknown' | 'damaged';

export const roleOf = (keyId: string | null, { currentId, keyIds }: Vault): KeyRole => {
  if (keyId === null) return 'damaged';
  if (keyId === currentId) return 'present';
  return keyIds.includes(keyId) ? 'previous' : 'unknown';
};

export const sumOf = ({
  subjectKeys,
  integrationSecrets,
  webhookSecrets,
  secondFactors,
  identityProviders,
  reportSchedules,
  notificationAddresses,
  notificationSettings,
}: KeyStatus): number =>
  subjectKeys +
  integrationSecrets +
  webhookSecrets +
  secondFactors +
  identityProviders +
  reportSchedules +
  notificationAddresses +
  notificationSettings;
