import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock } from '#libs/config';
import { secondFactorPlace, Vault, VaultError } from '#libs/vault';
import { RetryLaterException, UnavailableException } from '../http/http-errors.ts';
import { SECRET_KEYS } from '../tokens.ts';
import { recoveryHash } from './recovery-codes.ts';
import { SecondFactorRefused } from './second-factor-refused.ts';
import { SecondFactorsRepository } from './second-factors.repository.ts';
import { stepOfCode } from './totp.ts';

const TOTP_CODE = /^\d{6}$/;

export type CodeKind = 'totp' | 'recovery';

/** Encrypts secrets of second factors, and accepts codes: each once, at all gateways together. */
@Injectable()
export class SecondFactorCodes {
  private readonly vault: Vault;

  constructor(
    private readonly factors: SecondFactorsRepository,
    @Inject(SECRET_KEYS) secrets: Buffer[],
    @Inject(CLOCK) private readonly now: Clock,
  ) {
    this.vault = new Vault(secrets);
  }

  seal(secret: string, credentialId: string): string {
    return this.vault.seal(secret, secondFactorPlace(credentialId));
  }

  /**
   * Accepts the code of a credential; a second factor that is not confirmed has no recovery codes.
   * @throws SecondFactorRefused if it is wrong, was used before, or there is no second factor; RetryLaterException (429)
   * after ten wrong codes within 15 minutes
   */
  async accept(credentialId: string, code: string): Promise<CodeKind> {
    const factor = await this.factors.find(credentialId);
    if (!factor) throw new SecondFactorRefused('secondFactorWrong');
    const now = this.now();
    const until = await this.factors.countAttempt(credentialId, now);
    if (until !== null) throw new RetryLaterException(Math.ceil((until - now) / 1000), 'sign_in_failures');
    if (!TOTP_CODE.test(code)) {
      if (await this.factors.useRecoveryCode(credentialId, recoveryHash(code))) return 'recovery';
      throw new SecondFactorRefused('secondFactorWrong');
    }
    const step = stepOfCode(this.open(factor.secret, credentialId), code, now);
    if (step === null || !(await this.factors.acceptStep(credentialId, step))) {
      throw new SecondFactorRefused('secondFactorWrong');
    }
    return 'totp';
  }

  private open(sealed: string, credentialId: string): string {
    try {
      return this.vault.open(sealed, secondFactorPlace(credentialId));
    } catch (error) {
      if (!(error instanceof VaultError)) throw error;
      throw new UnavailableException(
        'the second factor was encrypted with another secret key: use a recovery code, or ask an operator to set POSTURE_PREVIOUS_SECRET_KEY',
      );
    }
  }
}
