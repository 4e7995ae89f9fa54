import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import type { Logger } from '#libs/config';
import { DATABASE, type Schema } from '#libs/database';
import { initialOrganization, ORGANIZATION_KEY, type Organization } from '#libs/domain';
import { UnavailableException } from '../http/http-errors.ts';
import { Periodic } from '../periodic.ts';
import { LOGGER } from '../tokens.ts';

const LOOK_INTERVAL_MS = 1_000;

/**
 * The decisions of the organization, as of a second ago at most: every process checks for a newer version once a
 * second, and uses the known one while the database is unavailable.
 */
@Injectable()
export class OrganizationStore implements OnModuleInit, OnModuleDestroy {
  private known: Organization | undefined;
  /** Of the settings that were read; less than any until the first fold. */
  private version = -1;
  private readonly looking: Periodic;

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    @Inject(LOGGER) logger: Logger,
  ) {
    const refresh = () => this.refresh();
    this.looking = new Periodic(LOOK_INTERVAL_MS, refresh, 'reading the settings failed', logger);
  }

  /** @throws UnavailableException (503) if the database has been unavailable since the start: nothing is decided on a guess */
  get current(): Organization {
    if (!this.known)
      throw new UnavailableException(
        'the settings are not loaded yet because the database is unavailable: retry later',
      );
    return this.known;
  }

  onModuleInit(): Promise<void> {
    return this.looking.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.looking.stop();
  }

  /** Reads a newer version, if there is one. */
  async refresh(): Promise<Organization> {
    const row = await this.db
      .selectFrom('organization')
      .select(sql<Organization>`case when version > ${this.version} then state end`.as('state'))
      .where('entity_key', '=', ORGANIZATION_KEY)
      .executeTakeFirst();
    if (row?.state) this.version = row.state.settings.version;
    this.known = row?.state ?? this.known ?? initialOrganization();
    return this.known;
  }
}
