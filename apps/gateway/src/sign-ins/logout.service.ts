import { BadRequestException, Inject, Injectable } from '@nestjs/common';
import type { Logger } from '#libs/config';
import type { SignInRequest } from '../auth/auth.service.ts';
import { KnownCredentials } from '../auth/known-credentials.ts';
import { UnavailableException } from '../http/http-errors.ts';
import { SecurityEvents } from '../security-events/security-events.service.ts';
import { SessionsRepository } from '../sessions/sessions.repository.ts';
import { LOGGER } from '../tokens.ts';
import { IdentityProviders } from './identity-providers.ts';
import { OidcFailure } from './oidc-failure.ts';
import { ProviderSessionsRepository } from './provider-sessions.repository.ts';

/** Times of tokens are whole seconds, of a clock that may differ. */
const CLOCK_TOLERANCE_MS = 31_000;

/** Ends sessions for their identity provider. */
@Injectable()
export class LogoutService {
  constructor(
    private readonly providers: IdentityProviders,
    private readonly named: ProviderSessionsRepository,
    private readonly sessions: SessionsRepository,
    private readonly known: KnownCredentials,
    private readonly events: SecurityEvents,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Returns how many sessions have ended.
   * @throws NotFoundException; BadRequestException if the token is not valid; UnavailableException if it cannot be verified
   */
  async end(providerId: string, token: string, request: SignInRequest): Promise<number> {
    const client = await this.providers.get(providerId);
    const event = { kind: 'logout', token: null, ...request } as const;
    try {
      const logout = await client.logout(token);
      const ended = await this.named.named(providerId, logout, logout.issuedAt + CLOCK_TOLERANCE_MS);
      const count = await this.sessions.end(ended.map(({ id }) => id));
      await this.known.refresh();
      for (const { user } of ended) this.events.note({ ...event, user, outcome: 'success', reason: null });
      return count;
    } catch (error) {
      if (!(error instanceof OidcFailure)) throw error;
      this.events.note({ ...event, user: null, outcome: 'refused', reason: error.reason });
      this.logger.warn({ provider: providerId, reason: error.reason }, `logout refused: ${error.message}`);
      if (error.reason === 'providerUnavailable') {
        throw new UnavailableException('the keys of the identity provider are not available: retry later');
      }
      throw new BadRequestException('the logout token is not valid');
    }
  }
}
