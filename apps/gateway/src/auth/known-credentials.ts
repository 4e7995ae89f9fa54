import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Logger } from '#libs/config';
import { UnavailableException } from '../http/http-errors.ts';
import { Periodic } from '../periodic.ts';
import { LOGGER } from '../tokens.ts';
import type { Principal } from './access-tokens.ts';
import { CredentialsRepository } from './credentials.repository.ts';

const LOOK_INTERVAL_MS = 1_000;

/**
 * Which credentials there are, as of a second ago at most: deleting or rotating one ends its tokens in every process
 * (D25). While the database is away those that were known stay good.
 */
@Injectable()
export class KnownCredentials implements OnModuleInit, OnModuleDestroy {
  private generations: Map<string, number> | undefined;
  private reading: Promise<void> | undefined;
  private readonly looking: Periodic;

  constructor(
    private readonly credentials: CredentialsRepository,
    @Inject(LOGGER) logger: Logger,
  ) {
    const refresh = () => this.refresh();
    this.looking = new Periodic(LOOK_INTERVAL_MS, refresh, 'the credentials were not read', logger);
  }

  onModuleInit(): Promise<void> {
    return this.looking.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.looking.stop();
  }

  /**
   * Whether the credential is still there, with the password that the principal proved.
   * @throws UnavailableException (503) where the database has been away since the start
   */
  async isCurrent({ credentialId, generation }: Principal): Promise<boolean> {
    if (this.generations?.get(credentialId) === generation) return true;
    // Another process may have made or rotated it just now.
    await this.looking.round();
    if (!this.generations) throw new UnavailableException('the database is away: try again');
    return this.generations.get(credentialId) === generation;
  }

  /** Reads them anew; whoever asks meanwhile shares the answer. */
  refresh(): Promise<void> {
    this.reading ??= this.read().finally(() => {
      this.reading = undefined;
    });
    return this.reading;
  }

  private async read(): Promise<void> {
    this.generations = await this.credentials.generations();
  }
}
