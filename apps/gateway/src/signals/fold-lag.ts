import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Logger } from '#libs/config';
import { EVENT_LOG, type EventLog } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import { atScrape, foldLagRecords, foldLagSeconds } from '#libs/telemetry';
import { RetryLaterException } from '../http/http-errors.ts';
import { Periodic } from '../periodic.ts';
import { LOGGER, SETTINGS } from '../tokens.ts';
import { LagMeter } from './lag-meter.ts';
import { ProjectionPositions } from './projection-positions.repository.ts';
import type { SettingsSource } from './settings-source.ts';

const LOOK_INTERVAL_MS = 1_000;
/** However far the fold is behind: it may come back at any moment. */
const RETRY_SECONDS_MAX = 60;

/**
 * Holds uploads back while the fold is too far behind (D19). Log and fold are looked at once a second, each by itself:
 * while the database is away the fold counts as standing where it was seen last.
 */
@Injectable()
export class FoldLag implements OnModuleInit, OnModuleDestroy {
  private readonly meter = new LagMeter();
  private readonly looking: Periodic[];
  private stopTelling = () => {};

  constructor(
    @Inject(EVENT_LOG) private readonly log: EventLog,
    private readonly positions: ProjectionPositions,
    @Inject(SETTINGS) private readonly settings: SettingsSource,
    @Inject(LOGGER) logger: Logger,
  ) {
    const lookAtLog = async () => this.meter.logIsAt(await this.log.ends(INTAKE_TOPIC), performance.now());
    const lookAtFold = async () => {
      for (const [partition, next] of await this.positions.read()) this.meter.foldIsAt(partition, next);
    };
    this.looking = [
      new Periodic(LOOK_INTERVAL_MS, lookAtLog, 'the ends of the log were not read', logger),
      new Periodic(LOOK_INTERVAL_MS, lookAtFold, 'the positions of the fold were not read', logger),
    ];
  }

  async onModuleInit(): Promise<void> {
    await Promise.all(this.looking.map((looking) => looking.start()));
    this.stopTelling = atScrape('fold lag', () => this.tell());
  }

  async onModuleDestroy(): Promise<void> {
    this.stopTelling();
    await Promise.all(this.looking.map((looking) => looking.stop()));
  }

  /** @throws RetryLaterException while the fold is further behind than `maxLagSeconds` */
  assertWithinLimit(): void {
    const excess = this.meter.seconds(performance.now()) - this.settings().maxLagSeconds;
    if (excess > 0) throw new RetryLaterException(Math.min(Math.ceil(excess), RETRY_SECONDS_MAX), 'fold_lag');
  }

  private tell(): void {
    for (const { partition, records, seconds } of this.meter.lags(performance.now())) {
      foldLagRecords.set({ partition }, records);
      foldLagSeconds.set({ partition }, seconds);
    }
  }
}
