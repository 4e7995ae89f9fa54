import { Inject, Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import cron from 'node-cron';
import { TRUSTED_CLOCK, type TrustedClock } from '#libs/clock';
import { CLOCK, type Clock } from '#libs/config';
import { DATABASE, type Schema } from '#libs/database';
import { EVENT_LOG, type EventLog } from '#libs/event-log';
import { sweepSecrets } from '#libs/integration-store';
import { collecting, syncs } from '#libs/telemetry';
import { inTurn, pause } from './in-turn.ts';
import { Schedule } from './schedule/schedule.service.ts';
import { SyncRunner } from './sync/sync-runner.service.ts';
import { SyncsRepository } from './sync/syncs.repository.ts';

/** Of PostgreSQL's advisory locks: whoever holds it collects. */
const COLLECTOR_LOCK = 7_305_118_424;
const LOOK_INTERVAL_MS = 500;
/** Runs that were missed, while nobody collected or the database was away. */
const CATCH_UP_INTERVAL_MS = 10 * 60_000;
/** 01:15 UTC, every day; which integrations are due then, their frequency says (spec §Limits). */
const DAILY = '15 1 * * *';

/** One sync at a time over all collectors (D29): the one that holds the lock runs those that were asked for, in order. */
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

  /** Resolves when the sync at hand has been cut off, and its row says so. */
  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async collectInTurn(held: Kysely<Schema>): Promise<void> {
    collecting.set(1);
    const daily = cron.schedule(DAILY, () => this.requestDaily(), { timezone: 'UTC', noOverlap: true });
    try {
      await this.collect(held);
    } finally {
      collecting.set(0);
      await daily.destroy();
    }
  }

  private async collect(held: Kysely<Schema>): Promise<void> {
    const interrupted = await this.syncs.endInterrupted(this.clock());
    syncs.inc({ result: 'error' }, interrupted);
    if (interrupted > 0) this.logger.warn(`${interrupted} syncs were cut off by a crash`);
    const { signal } = this.stopping;
    let caughtUpAt = Number.NEGATIVE_INFINITY;
    while (!signal.aborted) {
      // Where the connection is lost, so is the lock, and another one may collect.
      await sql`select`.execute(held);
      if (this.trustedClock.distrust) {
        await pause(LOOK_INTERVAL_MS, signal);
        continue;
      }
      if (performance.now() - caughtUpAt > CATCH_UP_INTERVAL_MS) {
        await this.schedule.request('catchUp', this.clock());
        await sweepSecrets(this.db, this.log);
        caughtUpAt = performance.now();
      }
      const task = await this.syncs.take(this.clock());
      if (task) await this.runner.run(task, signal);
      else await pause(LOOK_INTERVAL_MS, signal);
    }
  }

  /** What is due while the clocks are not trusted is caught up with. */
  private async requestDaily(): Promise<void> {
    if (this.trustedClock.distrust) return;
    await this.schedule
      .request('scheduled', this.clock())
      .catch((error: Error) => this.logger.error(`the daily syncs were not asked for: ${error.message}`));
  }
}
