import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { TRUSTED_CLOCK, type TrustedClock } from '#libs/clock';
import { CLOCK, type Clock } from '#libs/config';
import { DATABASE, type Schema } from '#libs/database';
import type { Integration, Settings } from '#libs/domain';
import { EVENT_LOG, type EventLog } from '#libs/event-log';
import type { Connector } from '#libs/integrations';
import { readOrganization } from '#libs/projection';
import { inSpan, type SyncResult, syncSeconds, syncs } from '#libs/telemetry';
import { appendPage } from './append-page.ts';
import { SyncProgress } from './sync-progress.ts';
import { type SyncEnd, SyncsRepository, SyncTakenError, type SyncTask } from './syncs.repository.ts';

/** Injection token of `ConnectorFactory`. */
export const CONNECTORS = Symbol('CONNECTORS');

/** A connector with whatever it keeps open. */
export interface OpenConnector {
  connector: Connector;
  close(): Promise<void>;
}

/**
 * Makes the connector of an integration, with its secrets.
 * @param settings those of the moment
 * @throws Error with a sentence where it cannot
 */
export type ConnectorFactory = (integration: Integration, settings: () => Settings) => Promise<OpenConnector>;

class IntegrationGoneError extends Error {
  override name = 'IntegrationGoneError';

  constructor() {
    super('the integration was deleted');
  }
}

const RESULTS: Record<SyncEnd['status'], SyncResult> = { 0: 'success', 2: 'error', 3: 'partial' };

const WATCH_INTERVAL_MS = 2_000;

/** Runs syncs: pulls pages, puts each on the intake log, and says how far it has come (D29). */
@Injectable()
export class SyncRunner {
  private readonly logger = new Logger(SyncRunner.name);

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    @Inject(EVENT_LOG) private readonly log: EventLog,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(TRUSTED_CLOCK) private readonly trustedClock: TrustedClock,
    @Inject(CONNECTORS) private readonly open: ConnectorFactory,
    private readonly syncs: SyncsRepository,
  ) {}

  /** Resolves when the sync has ended, however it did; its row says how. @param stopping ends it as a crash would, but said */
  async run(task: SyncTask, stopping: AbortSignal): Promise<void> {
    const progress = new SyncProgress();
    const ends = syncSeconds.startTimer();
    const attributes = { 'posture.sync_id': task.id };
    const pulled = inSpan('sync', { attributes, isRoot: true }, () => this.pull(task, progress, stopping));
    const end = await pulled.catch((error: Error) => {
      this.logger.warn(`sync ${task.id} ended early: ${error.message}`);
      return progress.cutOff(error.message);
    });
    ends();
    try {
      await this.syncs.end(task.id, end, this.clock());
      syncs.inc({ result: RESULTS[end.status] });
    } catch (error) {
      // Whoever took it over has told of its end.
      if (!(error instanceof SyncTakenError)) throw error;
    }
  }

  private async pull(task: SyncTask, progress: SyncProgress, stopping: AbortSignal): Promise<SyncEnd> {
    const pulling = new AbortController();
    const stop = () => pulling.abort();
    stopping.addEventListener('abort', stop);
    let opened: OpenConnector | undefined;
    let isGone = false;
    const watching = this.watch(task, pulling.signal, () => {
      isGone = true;
      pulling.abort();
    });
    try {
      let decided = await this.decided(task);
      opened = await this.open(decided.integration, () => decided.settings);
      const { connector } = opened;
      const since = await this.syncs.begin(task, scopeOf(decided.integration));
      progress.begin(since);
      let page = 0;
      for await (const pulled of connector.pull(since, pulling.signal)) {
        if (stopping.aborted) break;
        decided = await this.decided(task);
        const appended = await appendPage(this.log, pulled, {
          syncId: task.id,
          page: ++page,
          ...this.trustedClock.read(),
          rules: connector.rules,
          settings: decided.settings,
          user: task.requestedBy,
        });
        progress.add(pulled, appended);
        await this.syncs.note(task.id, progress.state);
      }
      return stopping.aborted ? progress.cutOff(STOPPED) : progress.completed();
    } catch (error) {
      if (stopping.aborted) return progress.cutOff(STOPPED);
      if (isGone) throw new IntegrationGoneError();
      throw error;
    } finally {
      stopping.removeEventListener('abort', stop);
      pulling.abort();
      await watching;
      await opened?.close();
    }
  }

  /** A platform may keep its answer back for minutes: a sync does not outlive its integration by so much. */
  private async watch(task: SyncTask, pulling: AbortSignal, onGone: () => void): Promise<void> {
    while (!pulling.aborted) {
      await setTimeout(WATCH_INTERVAL_MS, undefined, { signal: pulling }).catch(() => undefined);
      if (pulling.aborted) return;
      await this.decided(task).catch((error: Error) => {
        if (error instanceof IntegrationGoneError) onGone();
      });
    }
  }

  /** @throws IntegrationGoneError */
  private async decided({ integrationId }: SyncTask) {
    const { settings, integrations = [] } = await readOrganization(this.db);
    const integration = integrations.find(({ id }) => id === integrationId);
    if (!integration) throw new IntegrationGoneError();
    return { settings, integration };
  }
}

/** What a watermark of the integration is about: another address, account or choice of records is another matter. */
function scopeOf({ config }: Integration): string {
  const { autoSyncDays: _, ...scope } = config;
  return createHash('sha256')
    .update(JSON.stringify(Object.entries(scope).sort()))
    .digest('hex');
}

const STOPPED = 'the collector was stopped: the next sync goes on from what was applied';
