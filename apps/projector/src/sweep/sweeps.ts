import { setTimeout } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { HeldPartitions } from '../held-partitions.ts';
import { Sweeper } from './sweeper.ts';

/** An end is in the log within a minute (R-EXP-7). */
const INTERVAL_MS = 30_000;
/** After a round that left something for the next one. */
const SOON_MS = 200;

/** Sweeps the partitions that this process owns, repeatedly. */
@Injectable()
export class Sweeps extends HeldPartitions {
  private readonly logger = new Logger(Sweeps.name);

  constructor(private readonly sweeper: Sweeper) {
    super();
  }

  protected async run(partition: number, signal: AbortSignal): Promise<void> {
    let delayMs = INTERVAL_MS;
    while (!signal.aborted) {
      await setTimeout(delayMs, undefined, { signal }).catch(() => undefined);
      if (!signal.aborted) delayMs = await this.sweep(partition, delayMs);
    }
  }

  /** Returns the wait until the next call. */
  private async sweep(partition: number, delayMs: number): Promise<number> {
    try {
      const round = await this.sweeper.sweep(partition);
      if (round === 'waiting') return delayMs;
      return round.isCut ? SOON_MS : INTERVAL_MS;
    } catch (error) {
      this.logger.warn(`partition ${partition}: sweep failed, will retry: ${(error as Error).message}`);
      return INTERVAL_MS;
    }
  }
}
