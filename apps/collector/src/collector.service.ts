import { EventEmitter, once } from 'node:events';
import { Inject, Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import cron from 'node-cron';
import { TRUSTED_CLOCK, type TrustedClock } from '#libs/clock';
import { CLOCK, type Clock } from '#libs/config';
import { DATABASE, type Schema } from '#libs/database';
import { EVENT_LOG, type EventLog } from '#libs/event-log';
import { isOrganizationFolded, organizationEnd, sweepSecrets } from '#libs/integration-store';
import { collecting, syncs } from '#libs/telemetry';
import { asLeader, pause } from './as-leader.ts';
import { endRemoved } from './edr/end-edr-management.ts';
import { Schedule } from './schedule/schedule.service.ts';
import { endStatementsOfRemoved } from './statements/end-statements.ts';
import { RunningSyncs } from './sync/running-syncs.ts';
import { SyncOutcomes } from './sync/sync-outcomes.service.ts';
import { SyncRunner } from './sync/sync-runner.service.ts';
import { SyncRunsRepository } from './sync/sync-runs.repository.ts';

/** Key of the advisory lock of PostgreSQL whose holder collects. */
const COLLECTOR_LOCK = 7_305_118_424;
const LOOK_INTERVAL_MS = 500;
/** The rows of earlier syncs say which are due. */
const SCHEDULE_INTERVAL_MS = 15_000;
const COUNT_INTERVAL_MS = 1_000;
const FOLD_INTERVAL_MS = 1_000;
/** A sweep that waits longer for acts to be folded is left to the next hour. */
const FOLD_TIMEOUT_MS = 10 * 60_000;
const HOURLY = '0 * * * *';
/** Concurrent syncs of different integrations; each has a page in memory. */
const SIDE_BY_SIDE_MAX = 4;

/**
 * Runs the requested syncs, several at once, but one of an integration at a time, over all collectors: the one with the
 * lock runs them.
 */
@Injectable()
export class Collector implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(Collector.name);
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly syncs: SyncRunsRepository,
    private readonly schedule: Schedule,
    private readonly runner: SyncRunner,
    private readonly outcomes: SyncOutcomes,
    @Inject(EVENT_LOG) private readonly log: EventLog,
    @Inject(TRUSTED_CLOCK) private readonly trustedClock: TrustedClock,
  ) {}

  onModuleInit(): void {
    const { db, stopping } = this;
    const onFailure = ({ message }: Error) => this.logger.warn(`collector: paused, will retry: ${message}`);
    this.running = asLeader({ db, lock: COLLECTOR_LOCK, signal: stopping.signal, onFailure }, (held) =>
      this.collectInTurn(held),
    );
  }

  /** Resolves when the running syncs are interrupted, and their rows are updated. */
  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async collectInTurn(held: Kysely<Schema>): Promise<void> {
    collecting.set(1);
    const running = new RunningSyncs(this.runner, this.stopping.signal);
    const turn = new AbortController();
    const upkeep = this.keepUp(AbortSignal.any([this.stopping.signal, turn.signal]));
    try {
      await this.collect(held, running);
    } finally {
      collecting.set(0);
      turn.abort();
      await upkeep;
      await running.stop();
    }
  }

  private async collect(held: Kysely<Schema>, running: RunningSyncs): Promise<void> {
    const interrupted = await this.syncs.endInterrupted(this.clock());
    syncs.inc({ result: 'error' }, interrupted);
    if (interrupted > 0) this.logger.warn(`collector: ${interrupted} syncs interrupted by a crash`);
    const { signal } = this.stopping;
    while (!signal.aborted) {
      running.throwIfFailed();
      // If the connection is lost, so is the lock, and another collector may run.
      await sql`select`.execute(held);
      if (this.trustedClock.distrust) {
        await pause(LOOK_INTERVAL_MS, signal);
        continue;
      }
      syncs.inc({ result: 'cancelled' }, await this.syncs.endCancelled(this.clock()));
      const task = running.size < SIDE_BY_SIDE_MAX ? await this.syncs.take(this.clock()) : undefined;
      if (task) running.start(task);
      else await pause(LOOK_INTERVAL_MS, signal);
    }
  }

  private async keepUp(signal: AbortSignal): Promise<void> {
    await Promise.all([
      this.repeat(SCHEDULE_INTERVAL_MS, signal, () => this.schedule.request(this.clock())),
      this.repeat(COUNT_INTERVAL_MS, signal, () => this.outcomes.count()),
      this.sweepHourly(signal),
    ]);
  }

  /** By timers and not by cron, which runs for every second that a clock skips. */
  private async repeat(ms: number, signal: AbortSignal, work: () => Promise<unknown>): Promise<void> {
    while (!signal.aborted) {
      await this.attempt(work);
      await pause(ms, signal);
    }
  }

  /** Sweeps at once, and then when an hour begins, except during a sweep. Resolves when the last sweep has ended. */
  private async sweepHourly(signal: AbortSignal): Promise<void> {
    const hours = new EventEmitter();
    // A clock may jump over many hours.
    const options = { timezone: 'UTC', suppressMissedWarning: true };
    const task = cron.schedule(HOURLY, () => hours.emit('hour'), options);
    while (!signal.aborted) {
      await this.sweep(signal);
      await once(hours, 'hour', { signal }).catch(() => undefined);
    }
    await task.destroy();
  }

  private async sweep(signal: AbortSignal): Promise<void> {
    const { db, log, trustedClock } = this;
    if (!(await this.attempt(() => this.organizationFolded(signal)))) return;
    const steps = [
      () => sweepSecrets(db),
      () => endRemoved({ db, log, trustedClock }, signal),
      () => endStatementsOfRemoved({ db, log, trustedClock }, signal),
    ];
    for (const step of steps) if (!signal.aborted) await this.attempt(step);
  }

  /**
   * Resolves when the acts are folded that the log has now, or the signal is aborted. What an unknown integration left
   * behind may be of one that these acts add.
   * @throws LogUnavailableError, Error after ten minutes
   */
  private async organizationFolded(signal: AbortSignal): Promise<void> {
    const { db, log } = this;
    const end = await organizationEnd(log);
    const begun = performance.now();
    while (!signal.aborted && !(await isOrganizationFolded(db, log, end))) {
      if (performance.now() - begun > FOLD_TIMEOUT_MS)
        throw new Error('acts wait for over ten minutes to be folded');
      await pause(FOLD_INTERVAL_MS, signal);
    }
  }

  /** A failure ends no sync: the work is done again when it is next due. Returns whether the work was done. */
  private async attempt(work: () => Promise<unknown>): Promise<boolean> {
    if (this.trustedClock.distrust) return false;
    try {
      await work();
      return true;
    } catch (error) {
      this.logger.warn(`collector: sync maintenance failed: ${(error as Error).message}`);
      return false;
    }
  }
}
