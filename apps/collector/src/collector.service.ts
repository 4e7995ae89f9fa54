import { Inject, Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import cron, { type ScheduledTask } from 'node-cron';
import { TRUSTED_CLOCK, type TrustedClock } from '#libs/clock';
import { CLOCK, type Clock } from '#libs/config';
import { DATABASE, type Schema } from '#libs/database';
import { EVENT_LOG, type EventLog } from '#libs/event-log';
import { sweepSecrets } from '#libs/integration-store';
import { collecting, syncs } from '#libs/telemetry';
import { inTurn, pause } from './in-turn.ts';
import { Schedule } from './schedule/schedule.service.ts';
import { RunningSyncs } from './sync/running-syncs.ts';
import { SyncOutcomes } from './sync/sync-outcomes.service.ts';
import { SyncRunner } from './sync/sync-runner.service.ts';
import { SyncsRepository } from './sync/syncs.repository.ts';

/** Of PostgreSQL's advisory locks: whoever holds it collects. */
const COLLECTOR_LOCK = 7_305_118_424;
const LOOK_INTERVAL_MS = 500;
/** The rows of earlier syncs say which are due. */
const EVERY_15_SECONDS = '*/15 * * * * *';
const EVERY_10_MINUTES = '*/10 * * * *';
const EVERY_SECOND = '* * * * * *';
/** Syncs of different integrations that run side by side; each holds a page in memory. */
const SIDE_BY_SIDE_MAX = 4;

/**
 * Runs the syncs that were asked for, some side by side and one of an integration at a time (D29), over all collectors:
 * the one that holds the lock runs them.
 */
@Injectable()
export class Collector implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(Collector.name);
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly syncs: SyncsRepository,
    private readonly schedule: Schedule,
    private readonly runner: SyncRunner,
    private readonly outcomes: SyncOutcomes,
    @Inject(EVENT_LOG) private readonly log: EventLog,
    @Inject(TRUSTED_CLOCK) private readonly trustedClock: TrustedClock,
  ) {}

  onModuleInit(): void {
    const { db, stopping } = this;
    const onFailure = ({ message }: Error) => this.logger.warn(`nothing is collected for now: ${message}`);
    this.running = inTurn({ db, lock: COLLECTOR_LOCK, signal: stopping.signal, onFailure }, (held) =>
      this.collectInTurn(held),
    );
  }

  /** Resolves when the syncs at hand have been cut off, and their rows say so. */
  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async collectInTurn(held: Kysely<Schema>): Promise<void> {
    collecting.set(1);
    const running = new RunningSyncs(this.runner, this.stopping.signal);
    const upkeep = this.startUpkeep();
    try {
      await this.collect(held, running);
    } finally {
      collecting.set(0);
      await Promise.all(upkeep.map((task) => task.destroy()));
      await running.end();
    }
  }

  private async collect(held: Kysely<Schema>, running: RunningSyncs): Promise<void> {
    const interrupted = await this.syncs.endInterrupted(this.clock());
    syncs.inc({ result: 'error' }, interrupted);
    if (interrupted > 0) this.logger.warn(`${interrupted} syncs were cut off by a crash`);
    const { signal } = this.stopping;
    while (!signal.aborted) {
      running.throwIfFailed();
      // Where the connection is lost, so is the lock, and another one may collect.
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

  /** Each task runs at once, and then whenever it is due. */
  private startUpkeep(): ScheduledTask[] {
    return [
      this.repeat(EVERY_15_SECONDS, () => this.schedule.request(this.clock())),
      this.repeat(EVERY_SECOND, () => this.outcomes.count()),
      this.repeat(EVERY_10_MINUTES, () => sweepSecrets(this.db, this.log)),
    ];
  }

  /** A failure ends no sync: the work is done again when it is next due. */
  private repeat(due: string, work: () => Promise<unknown>): ScheduledTask {
    const attempt = async () => {
      if (this.trustedClock.distrust) return;
      await work().catch(({ message }: Error) => this.logger.warn(`upkeep of syncs failed: ${message}`));
    };
    const task = cron.schedule(due, attempt, { timezone: 'UTC', noOverlap: true });
    void task.execute();
    return task;
  }
}
