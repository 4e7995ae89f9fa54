import { Inject, Injectable } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { DATABASE, type Schema } from '#libs/database';
import { nextSync, pastSyncs } from '#libs/integration-store';
import { readOrganization } from '#libs/tables';
import { SyncsRepository } from '../sync/syncs.repository.ts';

/** Syncs that are due for longer were missed: no collector ran, or the database was unavailable. */
const MISSED_AFTER_MS = 10 * 60_000;

/** Requests the syncs that are due by their integration's frequency, and repeats failed syncs. */
@Injectable()
export class Schedule {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    private readonly syncs: SyncsRepository,
  ) {}

  /**
   * Requests one sync for each due integration, for any number of missed runs. Due times are derived from past syncs,
   * so that no process needs to store them.
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
