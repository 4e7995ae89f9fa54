import { Inject, Injectable } from '@nestjs/common';
import { EncryptJWT, errors, jwtDecrypt } from 'jose';
import { CLOCK, type Clock, deriveKey } from '#libs/config';
import { SECRET_KEYS } from '../tokens.ts';
import type { Proof } from './oidc-client.ts';
import { OidcFailure } from './oidc-failure.ts';

const SECONDS_MAX = 600;
const ALGORITHMS = { alg: 'dir', enc: 'A256GCM' };

/**
 * What the service must know when a user returns from a provider, encrypted, in the hands of the browser tab: every gateway
 * can finish what another began, and nobody can fill a table. It is useless without the code of the provider, and only the
 * tab that has it can finish its sign-in.
 */
@Injectable()
export class SignInStates {
  private readonly keys: Buffer[];

  constructor(
    @Inject(SECRET_KEYS) secrets: Buffer[],
    @Inject(CLOCK) private readonly now: Clock,
  ) {
    this.keys = secrets.map((secret) => deriveKey(secret, 'sign-ins'));
  }

  seal(provider: string, proof: Proof): Promise<string> {
    const issuedAt = Math.floor(this.now() / 1000);
    return new EncryptJWT({ ...proof })
      .setProtectedHeader(ALGORITHMS)
      .setAudience(provider)
      .setExpirationTime(issuedAt + SECONDS_MAX)
      .encrypt(this.keys[0]!);
  }

  /** @throws OidcFailure if it was not sealed here for this provider and state, or more than ten minutes ago */
  async open(sealed: string, provider: string, state: string): Promise<Proof> {
    for (const key of this.keys) {
      const proof = await this.proofOf(sealed, provider, key);
      if (proof?.state === state) return proof;
    }
    throw new OidcFailure('signInState', 'the sign-in was not started here, or more than ten minutes ago');
  }

  private async proofOf(sealed: string, audience: string, key: Buffer): Promise<Proof | null> {
    try {
      const { payload } = await jwtDecrypt<Proof>(sealed, key, {
        audience,
        requiredClaims: ['exp'],
        keyManagementAlgorithms: [ALGORITHMS.alg],
        contentEncryptionAlgorithms: [ALGORITHMS.enc],
        currentDate: new Date(this.now()),
      });
      const { state, nonce, codeVerifier } = payload;
      return { state, nonce, codeVerifier };
    } catch (error) {
      if (error instanceof errors.JOSEError) return null;
      throw error;
    }
  }
}
