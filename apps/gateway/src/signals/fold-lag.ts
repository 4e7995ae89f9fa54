import { setTimeout } from 'node:timers/promises';
import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { EVENT_LOG, type EventLog } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import { RetryLaterException } from '../http/http-errors.ts';
import { SETTINGS } from '../tokens.ts';
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
  private readonly stopping = new AbortController();
  private looking: Promise<unknown> = Promise.resolve();

  constructor(
    @Inject(EVENT_LOG) private readonly log: EventLog,
    private readonly positions: ProjectionPositions,
    @Inject(SETTINGS) private readonly settings: SettingsSource,
  ) {}

  onModuleInit(): void {
    this.looking = Promise.all([
      this.look(async () => this.meter.logIsAt(await this.log.ends(INTAKE_TOPIC), performance.now())),
      this.look(async () => {
        for (const [partition, next] of await this.positions.read()) this.meter.foldIsAt(partition, next);
      }),
    ]);
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await this.looking;
  }

  /** @throws RetryLaterException while the fold is further behind than `maxLagSeconds` */
  assertWithinLimit(): void {
    const excess = this.meter.seconds(performance.now()) - this.settings().maxLagSeconds;
    if (excess > 0) throw new RetryLaterException(Math.min(Math.ceil(excess), RETRY_SECONDS_MAX));
  }

  /** What cannot be reached is looked at again: uploads and readiness tell of it. */
  private async look(observe: () => Promise<void>): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await observe().catch(() => undefined);
      await setTimeout(LOOK_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}
