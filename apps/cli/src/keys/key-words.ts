import { type KeyStatus, NOTHING_SEALED } from '#libs/key-rotation';
import type { Vault } from '#libs/vault';

/** What a wrapping key is to this site: `present` encrypts, `previous` only decrypts, `unknown` has no secret here. */
export type KeyRole = 'present' | 'previous' | 'unknown' | 'damaged';

export const roleOf = (keyId: string | null, { currentId, keyIds }: Vault): KeyRole => {
  if (keyId === null) return 'damaged';
  if (keyId === currentId) return 'present';
  return keyIds.includes(keyId) ? 'previous' : 'unknown';
};

/** What is encrypted with a wrapping key. */
export type SealedKind = keyof typeof NOTHING_SEALED;
export const SEALED_KINDS = Object.keys(NOTHING_SEALED) as SealedKind[];

export const sumOf = (status: KeyStatus): number => SEALED_KINDS.reduce((sum, kind) => sum + status[kind], 0);
