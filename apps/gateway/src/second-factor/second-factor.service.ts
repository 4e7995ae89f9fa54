import { ConflictException, ForbiddenException, Inject, Injectable, NotFoundException } from '@nestjs/common';
import encodeQR from 'qr';
import { CLOCK, type Clock } from '#libs/config';
import { isoTimeOrNull } from '#libs/domain';
import { ALL_ROWS } from '#libs/tables';
import type { Access } from '../auth/access.ts';
import { isOfSession } from '../auth/access-tokens.ts';
import { AuthService } from '../auth/auth.service.ts';
import type { Caller } from '../auth/caller.ts';
import { CredentialActs } from '../auth/credential-acts.ts';
import { type CredentialRow, CredentialsRepository } from '../auth/credentials.repository.ts';
import { KnownCredentials } from '../auth/known-credentials.ts';
import { SignInPolicy } from '../auth/sign-in-policy.ts';
import { SignInRefused } from '../auth/sign-in-refused.ts';
import { SessionsRepository } from '../sessions/sessions.repository.ts';
import { newRecoveryCodes, recoveryHash } from './recovery-codes.ts';
import type { BegunSecondFactorDto, RecoveryCodesDto, SecondFactorDto } from './second-factor.dto.ts';
import { SecondFactorCodes } from './second-factor-codes.ts';
import { SecondFactorRefused } from './second-factor-refused.ts';
import { SecondFactorsRepository } from './second-factors.repository.ts';
import { newTotpSecret, totpUri } from './totp.ts';

/** Sets up, changes and removes the second factor of the caller. */
@Injectable()
export class SecondFactorService {
  constructor(
    private readonly factors: SecondFactorsRepository,
    private readonly credentials: CredentialsRepository,
    private readonly codes: SecondFactorCodes,
    private readonly auth: AuthService,
    private readonly policy: SignInPolicy,
    private readonly acts: CredentialActs,
    private readonly sessions: SessionsRepository,
    private readonly known: KnownCredentials,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  /** @throws NotFoundException if the caller is no credential */
  async state(caller: Caller): Promise<SecondFactorDto> {
    const credential = await this.credentialOf(caller);
    const factor = await this.factors.find(credential.id);
    const isEnabled = factor?.isConfirmed ?? false;
    const isRequired = this.policy.isRequired(credential.role, credential);
    return {
      isEnabled,
      isRequired,
      dueAt: isoTimeOrNull(isRequired && !isEnabled ? credential.secondFactorDueAt : null),
      recoveryCodes: factor?.recoveryCodes ?? 0,
    };
  }

  /**
   * A secret for an authenticator app; a later one replaces it. The password protects a session that somebody left open.
   * @throws NotFoundException; ForbiddenException if the password is wrong; RetryLaterException as a sign-in;
   * ConflictException if there is a second factor
   */
  async begin(password: string, caller: Caller): Promise<BegunSecondFactorDto> {
    const { id, username } = await this.credentialOf(caller);
    await this.assertPassword({ username, password }, caller);
    const secret = newTotpSecret();
    if (!(await this.factors.begin(id, this.codes.seal(secret, id)))) {
      throw new ConflictException('you have a second factor already: remove it first');
    }
    const uri = totpUri(secret, username);
    return { secret, uri, qrCode: encodeQR(uri, 'svg') };
  }

  /** @throws NotFoundException; ForbiddenException if the code is wrong; ConflictException if none was begun */
  async confirm(code: string, { principal }: Access, caller: Caller): Promise<RecoveryCodesDto> {
    const credential = await this.credentialOf(caller);
    const factor = await this.factors.find(credential.id);
    if (!factor || factor.isConfirmed) {
      throw new ConflictException(
        'no second factor waits for a code: begin one at POST /api/v3/second-factor',
      );
    }
    await this.accept(credential.id, code);
    const recoveryCodes = newRecoveryCodes();
    await this.acts.perform('secondFactorEnabled', credential, caller, async (trx) => {
      const hashes = recoveryCodes.map(recoveryHash);
      const factors = new SecondFactorsRepository(trx);
      if (await factors.confirm(credential.id, factor.secret, hashes, this.now())) return;
      throw new ConflictException('the second factor was begun again in the meantime: use its new secret');
    });
    // They began without it.
    await this.sessions.endOf(credential.id, isOfSession(principal) ? principal.sessionId : null);
    await this.known.refresh();
    return { recoveryCodes };
  }

  /** @throws NotFoundException; ForbiddenException if the code is wrong; ConflictException if there is no second factor */
  async replaceRecoveryCodes(code: string, caller: Caller): Promise<RecoveryCodesDto> {
    const credential = await this.confirmedBy(code, caller);
    const recoveryCodes = newRecoveryCodes();
    await this.acts.perform('recoveryCodesReplaced', credential, caller, (trx) =>
      new SecondFactorsRepository(trx).replaceRecoveryCodes(credential.id, recoveryCodes.map(recoveryHash)),
    );
    return { recoveryCodes };
  }

  /** As `replaceRecoveryCodes`. */
  async remove(code: string, caller: Caller): Promise<SecondFactorDto> {
    const credential = await this.confirmedBy(code, caller);
    await this.acts.perform('secondFactorRemoved', credential, caller, async (trx) => {
      await new SecondFactorsRepository(trx).remove(credential.id);
    });
    return this.state(caller);
  }

  private async confirmedBy(code: string, caller: Caller): Promise<CredentialRow> {
    const credential = await this.credentialOf(caller);
    if (!credential.hasSecondFactor) throw new ConflictException('you have no second factor');
    await this.accept(credential.id, code);
    return credential;
  }

  /** 403 and not 401: the token of the request is good. */
  private async accept(credentialId: string, code: string): Promise<void> {
    try {
      await this.codes.accept(credentialId, code);
    } catch (error) {
      if (error instanceof SecondFactorRefused) throw new ForbiddenException(error.message);
      throw error;
    }
  }

  private async assertPassword(
    given: { username: string; password: string },
    { address, requestId }: Caller,
  ): Promise<void> {
    try {
      await this.auth.assertPassword(given, { address, requestId });
    } catch (error) {
      if (error instanceof SignInRefused) throw new ForbiddenException('the password is wrong');
      throw error;
    }
  }

  private async credentialOf({ credentialId }: Caller): Promise<CredentialRow> {
    const credential = await this.credentials.find(credentialId, ALL_ROWS);
    if (credential) return credential;
    throw new NotFoundException(
      'only users who sign in with user name and password have a second factor here: identity providers have their own',
    );
  }
}
