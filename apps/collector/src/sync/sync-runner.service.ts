import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { TRUSTED_CLOCK, type TrustedClock } from '#libs/clock';
import { CLOCK, type Clock } from '#libs/config';
import { DATABASE, type Schema } from '#libs/database';
import type { Integration, Settings } from '#libs/domain';
import { EVENT_LOG, type EventLog } from '#libs/event-log';
import { syncScope } from '#libs/integration-store';
import type { Connector, PulledPage, PulledSignal } from '#libs/integrations';
import { EventSealer } from '#libs/sealing';
import { readOrganization } from '#libs/tables';
import { inSpan, type SyncResult, syncSeconds, syncs } from '#libs/telemetry';
import { endUnlisted } from '../edr/end-edr-management.ts';
import { ListedHosts } from '../edr/listed-hosts.ts';
import { endMoved, endUnlistedDevices } from '../statements/end-statements.ts';
import { ListedDevices } from '../statements/listed-devices.ts';
import { appendPage } from './append-page.ts';
import {
  cancelled,
  changed,
  overPages,
  overTime,
  removed,
  type SyncBudget,
  SyncInterrupted,
  stopped,
} from './sync-interrupted.ts';
import { SyncProgress } from './sync-progress.ts';
import {
  type SyncEnd,
  SyncRunsRepository,
  SyncTakenOverError,
  type SyncTask,
} from './sync-runs.repository.ts';

/** Injection token of `ConnectorFactory`. */
export const CONNECTORS = Symbol('CONNECTORS');

/** Injection token of the `SyncBudget` of each sync. */
export const SYNC_BUDGETS = Symbol('SYNC_BUDGETS');

/** A connector with its open resources. */
interface OpenConnector {
  connector: Connector;
  close(): Promise<void>;
}

/**
 * Makes the connector of an integration, with its secrets.
 * @param settings those of the moment, at most some seconds old
 * @throws Error with a sentence if it cannot
 */
export type ConnectorFactory = (integration: Integration, settings: () => Settings) => Promise<OpenConnector>;

const RESULTS: Record<SyncEnd['status'], SyncResult> = { 0: 'success', 2: 'error', 3: 'partial' };

const WATCH_INTERVAL_MS = 1_000;

/** Only a full sync shows which devices the platform no longer has (R-SRC-5, R-EDR-8). */
const FULL_EVERY_MS = 7 * 24 * 60 * 60 * 1000;

const NO_HOSTS = 'the platform listed no host: hosts of earlier syncs stay managed by EDR';

/** A sync whose connector is open. */
interface Begun extends SyncTask {
  /** Of the integration that the connector has (`syncScope`). */
  scope: string;
}

/** What the organization has decided on a sync. */
interface Decided {
  settings: Settings;
  integration: Integration;
}

/** Runs syncs: pulls pages, appends each to the intake log, and reports progress. */
@Injectable()
export class SyncRunner {
  private readonly logger = new Logger(SyncRunner.name);

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    @Inject(EVENT_LOG) private readonly log: EventLog,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(TRUSTED_CLOCK) private readonly trustedClock: TrustedClock,
    @Inject(CONNECTORS) private readonly open: ConnectorFactory,
    private readonly syncs: SyncRunsRepository,
    @Inject(SYNC_BUDGETS) private readonly budget: SyncBudget,
    @Inject(EventSealer) private readonly sealer: EventSealer,
  ) {}

  /** Resolves when the sync has ended, however it did; its row says how. @param stopping ends it as a crash would, but said */
  async run(task: SyncTask, stopping: AbortSignal): Promise<void> {
    const progress = new SyncProgress();
    const ends = syncSeconds.startTimer();
    const attributes = { 'posture.sync_id': task.id };
    const pulled = inSpan('sync', { attributes, isRoot: true }, () => this.pull(task, progress, stopping));
    const end = await pulled.catch((error: Error) => {
      const reason = error instanceof SyncInterrupted ? error.reason : null;
      this.logger.warn(`sync ${task.id}: stopped early: ${error.message}`);
      return progress.cutOff(error.message, reason);
    });
    ends();
    try {
      await this.syncs.end(task.id, end, this.clock());
      syncs.inc({ result: end.endReason === 'cancelled' ? 'cancelled' : RESULTS[end.status] });
    } catch (error) {
      // The process that took it over has recorded its end.
      if (!(error instanceof SyncTakenOverError)) throw error;
    }
  }

  /** @throws SyncInterrupted if it ends before its end */
  private async pull(queued: SyncTask, progress: SyncProgress, stopping: AbortSignal): Promise<SyncEnd> {
    const current = await this.decided(queued);
    const task = { ...queued, scope: syncScope(current.integration) };
    const pulling = new AbortController();
    const stop = () => pulling.abort(stopped());
    stopping.addEventListener('abort', stop);
    if (stopping.aborted) stop();
    const late = setTimeout(() => pulling.abort(overTime(this.budget, progress)), this.budget.ms);
    const watching = this.watch(task, current, pulling);
    try {
      return await this.pullPages(task, progress, current, pulling.signal);
    } catch (error) {
      // Later errors are caused by the abort.
      throw pulling.signal.aborted ? pulling.signal.reason : error;
    } finally {
      clearTimeout(late);
      stopping.removeEventListener('abort', stop);
      pulling.abort();
      await watching;
    }
  }

  private async pullPages(
    task: Begun,
    progress: SyncProgress,
    current: Decided,
    signal: AbortSignal,
  ): Promise<SyncEnd> {
    const { connector, close } = await this.open(current.integration, () => current.settings);
    try {
      const fullSince = this.clock() - FULL_EVERY_MS;
      const since = await this.syncs.begin(task, task.scope, fullSince);
      progress.begin(since);
      const listed = connector.isEdrInventory && since === null ? new ListedHosts() : null;
      const devices = since === null ? new ListedDevices() : null;
      let pages = 0;
      for await (const pulled of connector.pull(since, signal)) {
        signal.throwIfAborted();
        if (++pages > this.budget.pages) throw overPages(this.budget, progress);
        const decided = await this.decided(task);
        Object.assign(current, decided);
        const append = (page: Pick<PulledPage, 'signals'>) =>
          appendPage(this.log, page, {
            syncId: task.id,
            upload: progress.state.uploads + 1,
            ...this.trustedClock.read(),
            connector,
            settings: decided.settings,
            user: task.requestedBy,
            sealer: this.sealer,
          });
        const revoke = async (signals: PulledSignal[]) => {
          signal.throwIfAborted();
          progress.addUpload(await append({ signals }));
        };
        const isDescribed = connector.rules.updateMetadata;
        await endMoved(this.site, pulled.signals, ofSource(task, decided), isDescribed ? revoke : null);
        progress.add(pulled, await append(pulled));
        for (const one of pulled.signals) {
          listed?.add(one);
          devices?.add(one);
        }
        await this.syncs.note(task.id, progress.state);
      }
      signal.throwIfAborted();
      if (listed?.isEmpty) progress.remark(NO_HOSTS);
      const end = progress.completed();
      if (listed !== null && end.status === 0) await this.endUnlisted(task, listed, signal);
      if (devices !== null && end.status === 0) await this.endStatements(task, devices, signal);
      return end;
    } finally {
      await close();
    }
  }

  /**
   * A sync that lists no host ends it for none: the platform may be loading its index.
   * @throws SyncInterrupted if the integration was removed or changed
   */
  private async endUnlisted(task: Begun, listed: ListedHosts, signal: AbortSignal): Promise<void> {
    if (listed.isCut) {
      this.logger.warn(`sync ${task.id}: too many hosts: hosts that are no longer listed stay managed`);
      return;
    }
    if (listed.isEmpty) return;
    const { integration, settings } = await this.decided(task);
    const complete = { syncId: task.id, source: integration.source, listed, settings, signal };
    await endUnlisted(this.site, complete);
  }

  private get site() {
    const { db, log, trustedClock, sealer } = this;
    return { db, log, trustedClock, sealer };
  }

  /**
   * A sync that lists no device ends nothing: its selection of devices is empty.
   * @throws SyncInterrupted if the integration was removed or changed
   */
  private async endStatements(task: Begun, devices: ListedDevices, signal: AbortSignal): Promise<void> {
    if (devices.isCut) {
      this.logger.warn(`sync ${task.id}: too many devices: data of devices that are no longer listed stays`);
      return;
    }
    if (devices.isEmpty) return;
    await endUnlistedDevices(this.site, devices, ofSource(task, await this.decided(task)), signal);
  }

  /**
   * A platform may keep its answer back for minutes, while the sync repeats its requests: who cancels the sync, removes
   * or changes its integration or forbids its address (`egressAllow`) does not wait.
   */
  private async watch(task: Begun, current: Decided, pulling: AbortController): Promise<void> {
    const { signal } = pulling;
    while (!signal.aborted) {
      await sleep(WATCH_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      // While the database is unavailable, no sync can be requested.
      const reason = await this.reasonToEnd(task, current).catch(() => null);
      if (reason !== null) pulling.abort(reason);
    }
  }

  private async reasonToEnd(task: Begun, current: Decided): Promise<SyncInterrupted | null> {
    const user = await this.syncs.cancelRequestedBy(task.id);
    if (user !== null) return cancelled(user);
    try {
      Object.assign(current, await this.decided(task));
      return null;
    } catch (error) {
      if (error instanceof SyncInterrupted) return error;
      throw error;
    }
  }

  /** @throws SyncInterrupted if the integration was removed, or no longer has the scope that the sync began with */
  private async decided({ integrationId, scope }: SyncTask & Partial<Begun>): Promise<Decided> {
    const { settings, integrations = [] } = await readOrganization(this.db);
    const integration = integrations.find(({ id }) => id === integrationId);
    if (!integration) throw removed();
    if (scope !== undefined && scope !== syncScope(integration)) throw changed();
    return { settings, integration };
  }
}

const ofSource = ({ id: syncId }: SyncTask, { integration, settings }: Decided) => ({
  syncId,
  source: integration.source,
  settings,
});
