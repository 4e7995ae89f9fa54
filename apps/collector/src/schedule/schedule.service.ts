import { Inject, Injectable } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { DATABASE, type Schema } from '#libs/database';
import { readOrganization } from '#libs/projection';
import { SyncsRepository } from '../sync/syncs.repository.ts';
import { nextRun } from './next-run.ts';

/** Asks for the syncs that are due by their integration's frequency. */
@Injectable()
export class Schedule {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    private readonly syncs: SyncsRepository,
  ) {}

  /**
   * Asks once for each integration that is due, however many runs were missed.
   * @param action `catchUp` for what was due while no collector ran
   * @param now epoch ms
   */
  async request(action: 'scheduled' | 'catchUp', now: number): Promise<void> {
    const { integrations = [] } = await readOrganization(this.db);
    const last = new Map(
      (await this.syncs.lastRequests()).map(({ integrationId, at }) => [integrationId, at]),
    );
    for (const { id, createdAt, config } of integrations) {
      const days = config.autoSyncDays;
      if (typeof days !== 'number') continue;
      if (nextRun(last.get(id) ?? createdAt, days) <= now) await this.syncs.request(id, action, now);
    }
  }
}
