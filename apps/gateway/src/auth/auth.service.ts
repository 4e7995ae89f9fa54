import { createHmac, randomBytes } from 'node:crypto';
import { Inject, Injectable, UnauthorizedException } from '@nestjs/common';
import { CLOCK, type Clock } from '#libs/config';
import { AccessTokens, type Principal } from './access-tokens.ts';
import type { BasicCredentials } from './basic-credentials.ts';
import { CredentialsRepository } from './credentials.repository.ts';
import { ExpiringMap } from './expiring-map.ts';
import { KnownCredentials } from './known-credentials.ts';
import { PasswordHasher } from './password-hasher.ts';
import { SignInFailures } from './sign-in-failures.ts';

const REMEMBERED_MS = 60_000;
const REMEMBERED_MAX = 1_000;

/** Turns a user name and a password into an access token (spec §Authentication 2). */
@Injectable()
export class AuthService {
  /** Who proved a password within the last minute (D25: real clients sign in for every upload). */
  private readonly verified: ExpiringMap<Principal>;
  /** Lives as long as the process: a memory dump holds no password, and no hash worth cracking. */
  private readonly fingerprintKey = randomBytes(32);
  /** Sign-ins under way: a burst of the same one is verified once. */
  private readonly underWay = new Map<string, Promise<Principal>>();
  private standIn: Promise<string> | undefined;

  constructor(
    private readonly credentials: CredentialsRepository,
    private readonly hasher: PasswordHasher,
    private readonly tokens: AccessTokens,
    private readonly known: KnownCredentials,
    private readonly failures: SignInFailures,
    @Inject(CLOCK) private readonly now: Clock,
  ) {
    this.verified = new ExpiringMap(REMEMBERED_MAX, now);
  }

  /**
   * @param address of the client
   * @throws UnauthorizedException where name or password are wrong; which of them, nobody learns
   * @throws RetryLaterException (429) where too many others are being verified, or too many sign-ins have failed (D25)
   */
  async signIn(given: BasicCredentials, address: string): Promise<string> {
    this.failures.assertBelowLimit(given.username, address);
    const fingerprint = this.fingerprint(given);
    const remembered = this.verified.get(fingerprint);
    if (remembered && (await this.known.isCurrent(remembered))) return this.tokens.issue(remembered);
    try {
      return await this.tokens.issue(await this.verifyOnce(fingerprint, given));
    } catch (error) {
      if (error instanceof UnauthorizedException) this.failures.note(given.username, address);
      throw error;
    }
  }

  /** Stands for user name and password; the name holds no colon, so no two pairs share one text. */
  private fingerprint({ username, password }: BasicCredentials): string {
    return createHmac('sha256', this.fingerprintKey).update(`${username}:${password}`).digest('base64');
  }

  private verifyOnce(fingerprint: string, given: BasicCredentials): Promise<Principal> {
    const running = this.underWay.get(fingerprint);
    if (running !== undefined) return running;
    const verification = this.verify(fingerprint, given).finally(() => this.underWay.delete(fingerprint));
    this.underWay.set(fingerprint, verification);
    return verification;
  }

  private async verify(fingerprint: string, { username, password }: BasicCredentials): Promise<Principal> {
    const credential = await this.credentials.findByUsername(username);
    const isRight = await this.hasher.verify(
      // One that a restore has locked has none.
      credential?.passwordHash || (await this.standInHash()),
      password,
    );
    if (!credential || !isRight) throw new UnauthorizedException('wrong user name or password');
    const { id: credentialId, username: name, role, generation } = credential;
    const principal = { credentialId, name, role, generation };
    this.verified.set(fingerprint, principal, this.now() + REMEMBERED_MS);
    await this.credentials.touch(credential.id, this.now());
    return principal;
  }

  /** An unknown user name costs the time of a known one, so that it cannot be told by waiting. */
  private standInHash(): Promise<string> {
    this.standIn ??= this.hasher.hash(randomBytes(24).toString('base64')).catch((error: unknown) => {
      this.standIn = undefined;
      throw error;
    });
    return this.standIn;
  }
}
