import { Inject, Injectable } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { DATABASE, type Schema } from '#libs/database';
import { nextSync, pastSyncs } from '#libs/integration-store';
import { readOrganization } from '#libs/projection';
import { SyncsRepository } from '../sync/syncs.repository.ts';

/** What is due for longer was missed: nobody collected, or the database was away. */
const MISSED_AFTER_MS = 10 * 60_000;

/** Asks for the syncs that are due by their integration's frequency, and for repetitions of those that failed. */
@Injectable()
export class Schedule {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    private readonly syncs: SyncsRepository,
  ) {}

  /**
   * Asks once for each integration that is due, however many runs were missed. What is due is derived from the syncs
   * there were, so that it outlives every process.
   * @param now epoch ms
   */
  async request(now: number): Promise<void> {
    const { integrations = [] } = await readOrganization(this.db);
    const past = await pastSyncs(
      this.db,
      integrations.map(({ id }) => id),
    );
    for (const integration of integrations) {
      const due = nextSync(integration, past.get(integration.id) ?? []);
      if (due === null || due.at > now) continue;
      const action = now - due.at > MISSED_AFTER_MS ? 'catchUp' : 'scheduled';
      await this.syncs.request(integration.id, { action, retry: due.retry }, now);
    }
  }
}
