import { Inject, Injectable } from '@nestjs/common';
import { identityProviderPlace, Vault, VaultError } from '#libs/vault';
import { SECRET_KEYS } from '../tokens.ts';

/** Encrypts the client secrets of identity providers. */
@Injectable()
export class ClientSecrets {
  private readonly vault: Vault;

  constructor(@Inject(SECRET_KEYS) secrets: Buffer[]) {
    this.vault = new Vault(secrets);
  }

  seal(secret: string, providerId: string): string {
    return this.vault.seal(secret, identityProviderPlace(providerId));
  }

  /** Null if it was sealed with another secret key. */
  open(sealed: string, providerId: string): string | null {
    try {
      return this.vault.open(sealed, identityProviderPlace(providerId));
    } catch (error) {
      if (error instanceof VaultError) return null;
      throw error;
    }
  }
}
