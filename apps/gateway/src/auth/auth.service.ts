import { createHmac, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock } from '#libs/config';
import { RetryLaterException } from '../http/http-errors.ts';
import { SecondFactorRefused } from '../second-factor/second-factor-refused.ts';
import type { RefusedReason } from '../security-events/security-event.ts';
import { SecurityEvents } from '../security-events/security-events.service.ts';
import { SessionsFull } from '../sessions/sessions-full.ts';
import { AccessTokens, type CredentialPrincipal } from './access-tokens.ts';
import type { BasicCredentials } from './basic-credentials.ts';
import { CredentialsRepository } from './credentials.repository.ts';
import { ExpiringMap } from './expiring-map.ts';
import { KnownCredentials } from './known-credentials.ts';
import { PasswordHasher } from './password-hasher.ts';
import { SignInLimits } from './sign-in-limits.ts';
import { type Admission, LocalSignInOff, SignInPolicy } from './sign-in-policy.ts';
import { SignInRefused } from './sign-in-refused.ts';

const REMEMBERED_MS = 60_000;
const REMEMBERED_MAX = 1_000;

/** The origin of a sign-in. */
export interface SignInRequest {
  address: string;
  requestId: string;
  /** Of the second factor: of an authenticator app, or a recovery code. */
  code?: string | undefined;
}

/** Who has signed in, and whether with a second factor. */
export interface ProvenSignIn extends Pick<Admission, 'isSecondFactorProven'> {
  principal: CredentialPrincipal;
}

/** Verifies user names and passwords, and issues access tokens for them. */
@Injectable()
export class AuthService {
  /** Who proved a password within the last minute: real clients sign in for every upload (R-AUTH-7). */
  private readonly verified: ExpiringMap<CredentialPrincipal>;
  /** Valid only in this process: a memory dump contains no password, and no hash worth cracking. */
  private readonly fingerprintKey = randomBytes(32);
  /** Sign-ins in progress: a burst of the same one is verified once. */
  private readonly underWay = new Map<string, Promise<CredentialPrincipal>>();
  private standIn: Promise<string> | undefined;

  constructor(
    private readonly credentials: CredentialsRepository,
    private readonly hasher: PasswordHasher,
    private readonly tokens: AccessTokens,
    private readonly known: KnownCredentials,
    private readonly limits: SignInLimits,
    private readonly policy: SignInPolicy,
    private readonly events: SecurityEvents,
    @Inject(CLOCK) private readonly now: Clock,
  ) {
    this.verified = new ExpiringMap(REMEMBERED_MAX, now);
  }

  /** An access token; throws as `prove`. */
  async signIn(given: BasicCredentials, request: SignInRequest): Promise<string> {
    return this.prove(given, request, async ({ principal }) => this.tokens.issue(principal));
  }

  /**
   * Returns what `begin` gives to a user who has proven who it is. The sign-in is a success only after that.
   * @throws SignInRefused if name or password are wrong; the caller does not learn which
   * @throws SecondFactorRefused, LocalSignInOff if the password is right
   * @throws RetryLaterException (429) if too many others are being verified, or too many sign-ins have failed
   */
  async prove<T>(
    given: BasicCredentials,
    { address, requestId, code }: SignInRequest,
    begin: (proven: ProvenSignIn) => Promise<T>,
  ): Promise<T> {
    const event = { kind: 'signIn', user: given.username, token: null, address, requestId } as const;
    try {
      const principal = await this.principalOf(given, address);
      const { special, isSecondFactorProven } = await this.policy.admit(principal, code);
      const begun = await begin({ principal, isSecondFactorProven });
      for (const kind of ['signIn', ...special] as const) {
        this.events.note({ ...event, kind, outcome: 'success', reason: null });
      }
      return begun;
    } catch (error) {
      const reason = reasonOf(error);
      if (reason !== null) this.events.note({ ...event, outcome: 'refused', reason });
      throw error;
    }
  }

  /** Of a user who has signed in already; throws as `prove`, without a second factor. */
  async assertPassword(given: BasicCredentials, { address, requestId }: SignInRequest): Promise<void> {
    try {
      await this.principalOf(given, address);
    } catch (error) {
      const reason = reasonOf(error);
      const event = { kind: 'signIn', user: given.username, token: null, address, requestId } as const;
      if (reason !== null) this.events.note({ ...event, outcome: 'refused', reason });
      throw error;
    }
  }

  private async principalOf(given: BasicCredentials, address: string): Promise<CredentialPrincipal> {
    const fingerprint = this.fingerprint(given);
    const remembered =
      this.limits.mayRemember(given.username, address, fingerprint) && this.verified.get(fingerprint);
    if (remembered && (await this.known.isCurrent(remembered))) return remembered;
    const running = this.underWay.get(fingerprint);
    return running === undefined
      ? this.verifyFirst(fingerprint, given, address)
      : this.join(running, given, address);
  }

  /** Represents user name and password; the name contains no colon, so each pair has a different text. */
  private fingerprint({ username, password }: BasicCredentials): string {
    return createHmac('sha256', this.fingerprintKey).update(`${username}:${password}`).digest('base64');
  }

  private verifyFirst(
    fingerprint: string,
    given: BasicCredentials,
    address: string,
  ): Promise<CredentialPrincipal> {
    const reservation = this.limits.reserve(given.username, address);
    const verification = this.verify(fingerprint, given)
      .then(
        (principal) => {
          reservation.settle('right');
          return principal;
        },
        (error: unknown) => {
          reservation.settle(error instanceof SignInRefused ? 'wrong' : 'unknown');
          throw error;
        },
      )
      .finally(() => this.underWay.delete(fingerprint));
    this.underWay.set(fingerprint, verification);
    return verification;
  }

  /** The same password from elsewhere counts as one that was verified by itself. */
  private async join(
    running: Promise<CredentialPrincipal>,
    { username }: BasicCredentials,
    address: string,
  ): Promise<CredentialPrincipal> {
    try {
      return await running;
    } catch (error) {
      if (error instanceof SignInRefused) this.limits.reserve(username, address).settle('wrong');
      throw error;
    }
  }

  private async verify(
    fingerprint: string,
    { username, password }: BasicCredentials,
  ): Promise<CredentialPrincipal> {
    const credential = await this.credentials.findByUsername(username);
    const isRight = await this.hasher.verify(
      // One that a restore has locked has none.
      credential?.passwordHash || (await this.standInHash()),
      password,
    );
    if (!credential) throw new SignInRefused('unknownUser');
    if (!isRight) throw new SignInRefused('wrongPassword');
    const { id: credentialId, username: name, role, generation } = credential;
    const principal = { credentialId, name, role, generation };
    this.verified.set(fingerprint, principal, this.now() + REMEMBERED_MS);
    await this.credentials.touch(credential.id, this.now());
    return principal;
  }

  /** An unknown user name costs the time of a known one, so that the response time does not reveal it. */
  private standInHash(): Promise<string> {
    this.standIn ??= this.hasher.hash(randomBytes(24).toString('base64')).catch((error: unknown) => {
      this.standIn = undefined;
      throw error;
    });
    return this.standIn;
  }
}

/** Null if the service itself failed: nothing was decided about the sign-in. */
function reasonOf(error: unknown): RefusedReason | null {
  const isRefused =
    error instanceof SignInRefused ||
    error instanceof SecondFactorRefused ||
    error instanceof LocalSignInOff ||
    error instanceof SessionsFull;
  if (isRefused) return error.reason;
  if (!(error instanceof RetryLaterException)) return null;
  return error.reason === 'sign_in_failures' ? 'limited' : 'busy';
}
