import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { TRUSTED_CLOCK, type TrustedClock } from '#libs/clock';
import { CLOCK, type Clock, type Logger, type OidcProvider } from '#libs/config';
import { VaultError } from '#libs/vault';
import { KnownCredentials } from '../auth/known-credentials.ts';
import { NextLook } from '../next-look.ts';
import { Periodic } from '../periodic.ts';
import { SessionsRepository } from '../sessions/sessions.repository.ts';
import { LOGGER } from '../tokens.ts';
import { applyMapping, userRights } from '../users/user-rights.ts';
import { UsersRepository } from '../users/users.repository.ts';
import { IdentityProviders } from './identity-providers.ts';
import type { OidcClient } from './oidc-client.ts';
import { NO_RIGHTS_SENTENCE, OidcFailure } from './oidc-failure.ts';
import { type DueSession, ProviderSessionsRepository } from './provider-sessions.repository.ts';
import { RefreshTokens } from './refresh-tokens.ts';
import { rightsDigest } from './rights-digest.ts';

const LOOK_INTERVAL_MS = 1_000;
/** Longer than the requests of a check take. */
const LEASE_MS = 60_000;
/** A provider may be unavailable for so long after a check was due; its sessions end after that. */
const UNCONFIRMED_MS_MAX = 3_600_000;
const SECOND_MS = 1_000;

/**
 * Asks identity providers again about users with sessions, by their refresh tokens: groups that were removed, and users who
 * were disabled, lose their access. Any gateway whose clock is trusted checks a session, and only one at a time.
 */
@Injectable()
export class SessionChecks implements OnModuleInit, OnModuleDestroy {
  private readonly looking: Periodic;
  private readonly nextLook = new NextLook();
  private areSettingsApplied = false;

  constructor(
    private readonly due: ProviderSessionsRepository,
    private readonly sessions: SessionsRepository,
    private readonly providers: IdentityProviders,
    private readonly refreshTokens: RefreshTokens,
    private readonly known: KnownCredentials,
    @Inject(CLOCK) private readonly now: Clock,
    @Inject(TRUSTED_CLOCK) private readonly clock: TrustedClock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const look = async () => {
      if (!this.areSettingsApplied) await this.applySettings();
      if (!this.clock.distrust) await this.nextLook.ifDue(this.now(), () => this.look());
    };
    this.looking = new Periodic(
      LOOK_INTERVAL_MS,
      look,
      'checking sessions at identity providers failed',
      logger,
    );
  }

  async onModuleInit(): Promise<void> {
    await this.looking.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.looking.stop();
  }

  /** To be called after this gateway has begun a session. */
  expectSession(): void {
    this.nextLook.wake();
  }

  /** To be called with settings that may have a shorter time between checks. */
  async checkSooner({ id, checkSeconds }: Pick<OidcProvider, 'id' | 'checkSeconds'>): Promise<void> {
    const now = this.now();
    await this.due.checkSooner(id, checkSeconds * SECOND_MS, now, now + LEASE_MS);
    this.nextLook.wake();
  }

  /** Those of the deployment may have changed before the start. Until the database has answered, each round repeats it. */
  private async applySettings(): Promise<void> {
    const configured = [...this.providers.configured.values()];
    await this.due.endFormer(
      configured.map(({ provider }) => ({ id: provider.id, digest: rightsDigest(provider) })),
    );
    for (const client of configured) {
      await this.providers.whileCurrent(client, (trx) => applyMapping(trx, client.provider, null));
      await this.checkSooner(client.provider);
    }
    this.areSettingsApplied = true;
  }

  /** Returns when a session is due next, in epoch ms. */
  private async look(): Promise<number | null> {
    const now = this.now();
    const claimed = await this.due.claimDue(now, now + LEASE_MS);
    const checks = await Promise.allSettled(claimed.map((session) => this.check(session)));
    if (claimed.length > 0) await this.known.refresh();
    const failed = checks.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined;
    if (failed) throw failed.reason;
    return this.due.nextCheckAt();
  }

  private async check(session: DueSession): Promise<void> {
    const client = await this.providers.find(session.provider);
    if (!client) return this.end(session, 'the provider no longer exists');
    try {
      await this.ask(client, session);
    } catch (error) {
      if (error instanceof VaultError)
        return this.end(session, 'its refresh token was encrypted with another key');
      if (!(error instanceof OidcFailure)) throw error;
      const unconfirmedMs = this.now() - session.checkedAt - client.provider.checkSeconds * SECOND_MS;
      if (error.reason === 'providerUnavailable' && unconfirmedMs < UNCONFIRMED_MS_MAX) return;
      await this.end(session, error.message);
    }
  }

  private async ask(client: OidcClient, session: DueSession): Promise<void> {
    const { id, userId, subject } = session;
    let sealed = session.refreshToken;
    const keep = async (refreshToken: string) => {
      sealed = this.refreshTokens.seal(refreshToken, userId);
      await this.due.confirm(id, sealed, session.checkedAt, this.now() + LEASE_MS);
    };
    const refreshToken = this.refreshTokens.open(session.refreshToken, userId);
    const answer = await client.check(refreshToken, subject, keep);
    const rights = await this.providers.whileCurrent(client, async (trx) => {
      const users = new UsersRepository(trx);
      if (client.provider.groupsFrom === 'scim') await users.lock(client.provider.id);
      const current = await userRights(trx, client.provider, userId, answer.user.groups);
      await users.setRights(userId, current);
      return current;
    });
    if (rights?.grants.length === 0) {
      await this.sessions.endOf(userId, null);
      return this.end(session, NO_RIGHTS_SENTENCE);
    }
    const now = this.now();
    // The rights of former settings are not written. Changed settings that give other rights have ended the session;
    // otherwise it is checked again.
    const checkAt = rights === null ? now : now + client.provider.checkSeconds * SECOND_MS;
    await this.due.confirm(id, sealed, now, checkAt);
  }

  private async end({ id, provider }: DueSession, why: string): Promise<void> {
    await this.sessions.end([id]);
    this.logger.info({ provider, session: id }, `session ended by a check: ${why}`);
  }
}
