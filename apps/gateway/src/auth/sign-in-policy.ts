import { ForbiddenException, Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CLOCK, type Clock, type Config, type Logger } from '#libs/config';
import { SecondFactorCodes } from '../second-factor/second-factor-codes.ts';
import { SecondFactorRefused } from '../second-factor/second-factor-refused.ts';
import { CONFIG, LOGGER } from '../tokens.ts';
import type { CredentialPrincipal } from './access-tokens.ts';
import { CredentialsRepository } from './credentials.repository.ts';
import { type KnownCredential, KnownCredentials } from './known-credentials.ts';
import { SecondFactorRoles } from './second-factor-roles.ts';
import { SignInRefused } from './sign-in-refused.ts';

const DAY_MS = 86_400_000;

/** 403 to a right password. */
export class LocalSignInOff extends ForbiddenException {
  readonly reason = 'localSignInOff';

  constructor() {
    super('only identity providers sign people in here: use one of them. Programs use API tokens');
  }
}

/** How a right password was admitted. */
export interface Admission {
  /** What else the sign-in was. */
  special: ('recoveryCode' | 'breakGlass')[];
  /** False: it needed no second factor. */
  isSecondFactorProven: boolean;
}

/** What a right password needs besides: a second factor, and that passwords sign in at all. */
@Injectable()
export class SignInPolicy implements OnModuleInit {
  private readonly isLocalOff: boolean;
  private readonly roles: SecondFactorRoles;
  private readonly graceMs: number;

  constructor(
    private readonly known: KnownCredentials,
    private readonly credentials: CredentialsRepository,
    private readonly codes: SecondFactorCodes,
    @Inject(CONFIG) config: Config,
    @Inject(CLOCK) private readonly now: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.isLocalOff = config.localSignIn === 'off';
    this.roles = new SecondFactorRoles(config);
    this.graceMs = config.secondFactorGraceDays * DAY_MS;
  }

  async onModuleInit(): Promise<void> {
    await Promise.all([this.warnOfNoBreakGlass(), this.warnOfUnknownRoles()]);
  }

  private async warnOfNoBreakGlass(): Promise<void> {
    if (!this.isLocalOff || (await this.credentials.hasBreakGlass().catch(() => true))) return;
    this.logger.warn(
      'LOCAL_SIGN_IN is off, and no credential is for emergencies, or a restore has locked it: no password signs in',
    );
  }

  /** Custom roles come and go while gateways run, so a role that does not exist must not stop a start. */
  private async warnOfUnknownRoles(): Promise<void> {
    try {
      await this.known.refresh();
    } catch {
      // While the database is unavailable the custom roles are not known.
      return;
    }
    const unknown = this.roles.names.filter((role) => !this.known.hasRole(role));
    if (unknown.length === 0) return;
    this.logger.warn(
      { unknown },
      `SECOND_FACTOR_ROLES contains roles that do not exist: ${unknown.join(', ')}. Check their spelling: until such a role exists, its name requires no second factor`,
    );
  }

  /**
   * Admits a right password.
   * @throws LocalSignInOff; SecondFactorRefused and RetryLaterException as `SecondFactorCodes.accept`; SignInRefused if
   * the password was replaced in the meantime
   */
  async admit(principal: CredentialPrincipal, code: string | undefined): Promise<Admission> {
    const credential = await this.known.credentialOf(principal);
    if (!credential) throw new SignInRefused('wrongPassword');
    const { isBreakGlass, hasSecondFactor, id } = credential;
    if (this.isLocalOff && !isBreakGlass) throw new LocalSignInOff();
    const breakGlass = isBreakGlass ? (['breakGlass'] as const) : [];
    if (hasSecondFactor) {
      if (code === undefined) throw new SecondFactorRefused('secondFactorRequired');
      const kind = await this.codes.accept(id, code);
      const recovery = kind === 'recovery' ? (['recoveryCode'] as const) : [];
      return { special: [...breakGlass, ...recovery], isSecondFactorProven: true };
    }
    if (this.isRequired(principal.role, credential)) await this.assertWithinGrace(credential);
    return { special: [...breakGlass], isSecondFactorProven: false };
  }

  /** Whether a credential of this role must have a second factor. */
  isRequired(role: string, { isBreakGlass }: Pick<KnownCredential, 'isBreakGlass'>): boolean {
    return this.roles.require(role, isBreakGlass);
  }

  private async assertWithinGrace({ id, secondFactorDueAt }: KnownCredential): Promise<void> {
    const dueAt =
      secondFactorDueAt ?? (await this.credentials.beginGrace(id, this.now() + this.graceMs)) ?? 0;
    if (dueAt <= this.now()) throw new SecondFactorRefused('secondFactorNotEnrolled');
  }
}
