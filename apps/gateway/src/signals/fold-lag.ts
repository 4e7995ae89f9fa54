import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { TRUSTED_CLOCK, type TrustedClock } from '#libs/clock';
import type { Logger } from '#libs/config';
import { EVENT_LOG, type EventLog } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import { atScrape, foldLagRecords, foldLagSeconds } from '#libs/telemetry';
import { RetryLaterException } from '../http/http-errors.ts';
import type { SettingsSource } from '../organization/settings-source.ts';
import { Periodic } from '../periodic.ts';
import { ProjectionPositions } from '../projection/projection-positions.repository.ts';
import { LOGGER, SETTINGS } from '../tokens.ts';
import { LagMeter } from './lag-meter.ts';

const LOOK_INTERVAL_MS = 1_000;
/** It reads a record of each partition that has had a backlog since this process started. */
const BACKLOG_INTERVAL_MS = 10_000;
/** Upper limit for any lag, because the fold can resume at any time. */
const RETRY_SECONDS_MAX = 60;

/**
 * Rejects uploads while the fold is too far behind (R-LIM-3). Log and fold are read once a second, independently: while
 * the database is unavailable, the last known position of the fold is used.
 */
@Injectable()
export class FoldLag implements OnModuleInit, OnModuleDestroy {
  private readonly meter = new LagMeter();
  private readonly looking: Periodic[];
  private readonly dating: Periodic;
  private unregister = () => {};

  constructor(
    @Inject(EVENT_LOG) private readonly log: EventLog,
    private readonly positions: ProjectionPositions,
    @Inject(SETTINGS) private readonly settings: SettingsSource,
    @Inject(TRUSTED_CLOCK) private readonly clock: TrustedClock,
    @Inject(LOGGER) logger: Logger,
  ) {
    const readLogEnds = async () => this.meter.logIsAt(await this.log.ends(INTAKE_TOPIC), performance.now());
    const readFoldPositions = async () => {
      for (const [partition, next] of await this.positions.read()) this.meter.foldIsAt(partition, next);
    };
    this.looking = [
      new Periodic(LOOK_INTERVAL_MS, readLogEnds, 'reading the end offsets of the log failed', logger),
      new Periodic(LOOK_INTERVAL_MS, readFoldPositions, 'reading the fold positions failed', logger),
    ];
    const dateBacklog = () => this.dateBacklog();
    this.dating = new Periodic(
      BACKLOG_INTERVAL_MS,
      dateBacklog,
      'reading the age of the backlog failed',
      logger,
    );
  }

  async onModuleInit(): Promise<void> {
    await Promise.all(this.looking.map((looking) => looking.start()));
    await this.dating.start();
    this.unregister = atScrape('fold lag', () => this.report());
  }

  async onModuleDestroy(): Promise<void> {
    this.unregister();
    await Promise.all([...this.looking, this.dating].map((periodic) => periodic.stop()));
  }

  /** @throws RetryLaterException while the fold is further behind than `maxLagSeconds` */
  assertWithinLimit(): void {
    const excess = this.meter.seconds(performance.now()) - this.settings().maxLagSeconds;
    if (excess > 0) throw new RetryLaterException(Math.min(Math.ceil(excess), RETRY_SECONDS_MAX), 'fold_lag');
  }

  /** The records of a backlog from before the start have ages that no look has measured: the log has the times. */
  private async dateBacklog(): Promise<void> {
    // One after the other: each read may take a megabyte.
    for (const [partition, offset] of this.meter.backlog()) {
      for await (const [record] of this.log.read(INTAKE_TOPIC, partition, offset, offset + 1)) {
        const age = this.clock.now() - record!.storedAt;
        this.meter.backlogIsSince(partition, performance.now() - age);
      }
    }
  }

  private report(): void {
    for (const { partition, records, seconds } of this.meter.lags(performance.now())) {
      foldLagRecords.set({ partition }, records);
      foldLagSeconds.set({ partition }, seconds);
    }
  }
}
