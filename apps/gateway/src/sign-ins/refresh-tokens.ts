import { Inject, Injectable } from '@nestjs/common';
import { Vault } from '#libs/vault';
import { SECRET_KEYS } from '../tokens.ts';

/** Encrypts refresh tokens of identity providers for their user. */
@Injectable()
export class RefreshTokens {
  private readonly vault: Vault;

  constructor(@Inject(SECRET_KEYS) secrets: Buffer[]) {
    this.vault = new Vault(secrets);
  }

  seal(token: string, userId: string): string {
    return this.vault.seal(token, placeOf(userId));
  }

  /** @throws VaultError if the secret key is another one */
  open(sealed: string, userId: string): string {
    return this.vault.open(sealed, placeOf(userId));
  }
}

const placeOf = (userId: string) => ({ integration: userId, field: 'refreshToken' });
