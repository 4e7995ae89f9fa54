import { setTimeout } from 'node:timers/promises';
import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import type { Logger } from '#libs/config';
import { DATABASE, type Schema } from '#libs/database';
import { initialOrganization, ORGANIZATION_KEY, type Organization } from '#libs/domain';
import { UnavailableException } from '../http/http-errors.ts';
import { LOGGER } from '../tokens.ts';

const LOOK_INTERVAL_MS = 1_000;

/**
 * What the organization has decided, as of a second ago at most: every process looks for a newer version once a second,
 * and goes on with what it knows while the database is away.
 */
@Injectable()
export class OrganizationStore implements OnModuleInit, OnModuleDestroy {
  private known: Organization | undefined;
  private readonly stopping = new AbortController();
  private looking: Promise<unknown> = Promise.resolve();

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** @throws UnavailableException (503) where the database has been away since the start: nothing is decided on a guess */
  get current(): Organization {
    if (!this.known)
      throw new UnavailableException('the settings are not known yet: the database is away, try again');
    return this.known;
  }

  async onModuleInit(): Promise<void> {
    await this.tryRefresh();
    this.looking = this.look();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await this.looking;
  }

  /** Reads a newer version, if there is one. */
  async refresh(): Promise<Organization> {
    const row = await this.db
      .selectFrom('organization')
      .select(
        sql<Organization>`case when version > ${this.known?.settings.version ?? -1} then state end`.as(
          'state',
        ),
      )
      .where('entity_key', '=', ORGANIZATION_KEY)
      .executeTakeFirst();
    this.known = row?.state ?? this.known ?? initialOrganization();
    return this.known;
  }

  private async look(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await setTimeout(LOOK_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
      if (!signal.aborted) await this.tryRefresh();
    }
  }

  private async tryRefresh(): Promise<void> {
    try {
      await this.refresh();
    } catch (error) {
      this.logger.warn({ err: error }, 'the settings were not read');
    }
  }
}
