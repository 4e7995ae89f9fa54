import { Inject, Injectable } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { DATABASE, type Schema } from '#libs/database';
import { EVENT_LOG, type EventLog } from '#libs/event-log';
import { isOrganizationFolded, nextSync, organizationEnd, pastSyncs } from '#libs/integration-store';
import { readOrganization } from '#libs/tables';
import { SyncRunsRepository } from '../sync/sync-runs.repository.ts';

/** Syncs that are due for longer were missed: no collector ran, or the database was unavailable. */
const MISSED_AFTER_MS = 10 * 60_000;

/** Requests the syncs that are due by their integration's frequency, and repeats failed syncs. */
@Injectable()
export class Schedule {
  /** Offset up to which acts on the organization have to be folded first; undefined before the first request. */
  private beginning: number | undefined;

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    @Inject(EVENT_LOG) private readonly log: EventLog,
    private readonly syncs: SyncRunsRepository,
  ) {}

  /**
   * Requests one sync for each due integration, for any number of missed runs. Due times are derived from past syncs,
   * so that no process needs to store them. Requests none before the acts are folded that the log had at the first call:
   * one of them may end the schedule. Later acts are not awaited, because other records of their partition can follow all
   * the time.
   * @param now epoch ms
   * @throws LogUnavailableError
   */
  async request(now: number): Promise<void> {
    this.beginning ??= await organizationEnd(this.log);
    if (!(await isOrganizationFolded(this.db, this.log, this.beginning))) return;
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
