import { ForbiddenException, Inject, Injectable, UnauthorizedException } from '@nestjs/common';
import type { Transaction } from 'kysely';
import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client';
import { CLOCK, type Clock, type Logger } from '#libs/config';
import type { Schema } from '#libs/database';
import { UnavailableException } from '../http/http-errors.ts';
import type { RefusedReason, SecurityEvent } from '../security-events/security-event.ts';
import { SecurityEvents } from '../security-events/security-events.service.ts';
import type { NewSessionDto } from '../sessions/session.dto.ts';
import { type Browser, SessionsService } from '../sessions/sessions.service.ts';
import { SessionsFull } from '../sessions/sessions-full.ts';
import { LOGGER } from '../tokens.ts';
import { userRights } from '../users/user-rights.ts';
import { UsersRepository } from '../users/users.repository.ts';
import { IdentityProviders } from './identity-providers.ts';
import type { OidcClient, ProviderAnswer } from './oidc-client.ts';
import { NO_RIGHTS_SENTENCE, OidcFailure } from './oidc-failure.ts';
import { RefreshTokens } from './refresh-tokens.ts';
import { rightsDigest } from './rights-digest.ts';
import { SessionChecks } from './session-checks.ts';
import type { FinishSignInDto, StartedSignInDto } from './sign-in.dto.ts';
import { SignInStates } from './sign-in-state.ts';
import type { ProviderUser } from './user-claims.ts';

const SECOND_MS = 1_000;
/** Of a session whose provider gave no refresh token, so that its groups are checked by another sign-in. */
const UNCHECKED_MS_MAX = 3_600_000;
const USERS_MAX = 10_000;

const SENTENCES: Partial<Record<RefusedReason, string>> = {
  signInState: 'this sign-in was not started in this browser tab, or more than ten minutes ago: start again',
  providerChanged: 'the identity provider was changed during the sign-in: start again',
  providerRefused: 'the identity provider did not sign you in: start again',
};
const NOT_VALID =
  'the identity provider sent a sign-in that is not valid: start again, and tell an admin if it happens again';

const providerChanged = () =>
  new OidcFailure('providerChanged', 'an admin has changed the identity provider in the meantime');

/** Signs people in with their identity provider (OpenID Connect, authorization code with PKCE). */
@Injectable()
export class SignInsService {
  constructor(
    private readonly providers: IdentityProviders,
    private readonly states: SignInStates,
    private readonly users: UsersRepository,
    private readonly sessions: SessionsService,
    private readonly refreshTokens: RefreshTokens,
    private readonly checks: SessionChecks,
    private readonly events: SecurityEvents,
    @Inject(CLOCK) private readonly now: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** @throws NotFoundException; UnavailableException if the provider does not answer */
  async start(providerId: string): Promise<StartedSignInDto> {
    const client = await this.providers.get(providerId);
    const proof = { state: randomState(), nonce: randomNonce(), codeVerifier: randomPKCECodeVerifier() };
    const url = await this.whileAvailable(client, () => client.authorizationUrl(proof));
    return { url, proof: await this.states.seal(providerId, proof) };
  }

  /** As `start`. */
  async logoutUrl(providerId: string): Promise<string | null> {
    const client = await this.providers.get(providerId);
    return this.whileAvailable(client, () => client.logoutUrl());
  }

  /**
   * @throws NotFoundException; UnauthorizedException if the sign-in is not valid; ForbiddenException if the user has no
   * role, or there are 10,000 users; UnavailableException if the provider does not answer, or there are 10,000 sessions
   */
  async finish(
    providerId: string,
    given: FinishSignInDto,
    browser: Browser,
    requestId: string,
  ): Promise<NewSessionDto> {
    const client = await this.providers.get(providerId);
    const event = { kind: 'signIn', token: null, address: browser.address, requestId } as const;
    let user: string | null = null;
    try {
      const answer = await this.answerOf(client, given);
      user = await this.nameOf(providerId, answer.user);
      const session = await this.sessionOf(client, answer, user, browser);
      await this.assertCurrent(client, session.id);
      this.events.note({ ...event, user: session.user, outcome: 'success', reason: null });
      return session;
    } catch (error) {
      if (!(error instanceof OidcFailure || error instanceof SessionsFull)) throw error;
      const refused = { ...event, user, outcome: 'refused', reason: error.reason } as const;
      throw this.refusal(client, error, refused);
    }
  }

  private async whileAvailable<T>(client: OidcClient, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof OidcFailure) throw this.unavailable(client, error);
      throw error;
    }
  }

  private async answerOf(client: OidcClient, { proof, ...given }: FinishSignInDto): Promise<ProviderAnswer> {
    const opened = await this.states.open(proof, client.provider.id, given.state);
    if (given.code === undefined && given.error === undefined) {
      throw new OidcFailure('providerRefused', 'the provider sent neither a code nor an error');
    }
    const parameters = Object.entries(given).filter(([, value]) => value !== undefined);
    return client.signIn(Object.fromEntries(parameters), opened);
  }

  /** As the log names the user, also one who was renamed at the provider. */
  private async nameOf(provider: string, { name, ...user }: ProviderUser): Promise<string> {
    return (await this.users.ofSignIn({ provider, ...user }))?.name ?? `${provider}:${name}`;
  }

  private async sessionOf(
    client: OidcClient,
    { user, sid, refreshToken }: ProviderAnswer,
    name: string,
    browser: Browser,
  ): Promise<NewSessionDto> {
    const { provider } = client;
    const userId = await this.providers.whileCurrent(client, (trx) => this.userIn(trx, client, user, name));
    if (userId === null) throw providerChanged();
    const checked = {
      sid,
      rightsDigest: rightsDigest(provider),
      refreshToken: refreshToken === null ? null : this.refreshTokens.seal(refreshToken, userId),
      checkAt: refreshToken === null ? null : this.now() + provider.checkSeconds * SECOND_MS,
    };
    const lifetimeMsMax = refreshToken === null ? UNCHECKED_MS_MAX : Number.POSITIVE_INFINITY;
    const owner = { userId, credentialId: null, generation: null };
    const session = await this.sessions.begin(owner, browser, checked, lifetimeMsMax);
    this.checks.expectSession();
    return session;
  }

  /** The id of the user who signs in, new or not. Users and groups that are provisioned at that time wait for it. */
  private async userIn(
    trx: Transaction<Schema>,
    { provider }: OidcClient,
    { subject, externalId, groups }: ProviderUser,
    name: string,
  ): Promise<string> {
    const users = new UsersRepository(trx);
    await users.lock(provider.id);
    const named = { provider: provider.id, subject, externalId };
    const known = await users.ofSignIn(named);
    if (known?.isActive === false) throw new OidcFailure('userDisabled', 'the user is disabled');
    const knownId = known?.id ?? null;
    const rights = await userRights(trx, provider, knownId, groups);
    if (rights.grants.length === 0) throw new OidcFailure('noRole', NO_RIGHTS_SENTENCE);
    if (knownId === null && (await users.count()) >= USERS_MAX) {
      throw new OidcFailure('usersFull', `the limit of ${USERS_MAX} users is reached`);
    }
    return users.signIn({ ...named, name, ...rights }, knownId, this.now());
  }

  /** Who removes or changes a provider ends its sessions, of which this one may not have been one yet. */
  private async assertCurrent(client: OidcClient, sessionId: string): Promise<void> {
    if (await this.providers.isCurrent(client)) return;
    await this.sessions.endUnused(sessionId);
    throw providerChanged();
  }

  private refusal(client: OidcClient, error: OidcFailure | SessionsFull, event: SecurityEvent): Error {
    this.events.note(event);
    if (error instanceof SessionsFull) return error;
    if (error.reason === 'providerUnavailable') return this.unavailable(client, error);
    this.logger.warn(
      { provider: client.provider.id, reason: error.reason, requestId: event.requestId },
      `sign-in refused: ${error.message}`,
    );
    if (error.reason === 'userDisabled') {
      return new ForbiddenException('your user is disabled in this service: ask an admin to enable it');
    }
    if (error.reason === 'usersFull') {
      return new ForbiddenException(`${error.message}: ask an admin to delete users who have left`);
    }
    if (error.reason === 'noRole') {
      return new ForbiddenException(
        'your groups give you no access to this service: ask an admin for a group with a role, and with a department or location if users are limited to them',
      );
    }
    return new UnauthorizedException(SENTENCES[error.reason] ?? NOT_VALID);
  }

  private unavailable({ provider }: OidcClient, error: OidcFailure): UnavailableException {
    this.logger.warn({ provider: provider.id }, `identity provider unavailable: ${error.message}`);
    return new UnavailableException(`the identity provider ${provider.label} is not available: retry later`);
  }
}
